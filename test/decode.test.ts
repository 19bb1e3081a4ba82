import { describe, expect, it } from "vitest";
import { decodeBody, decodeInPieces } from "../src/transform/charset/decode.ts";
import { cpuTime } from "./cpu-time.ts";
import { encodedSentences } from "./fixtures/encodings/sentences.ts";

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

describe("the encoding of a body", () => {
  for (const [encoding, { text, hex }] of Object.entries(encodedSentences)) {
    it(`${encoding}: by header, by meta, by http-equiv, by XML declaration and by its bytes`, () => {
      const bytes = bytesOf(hex);
      const startingWith = (start: string) => new Uint8Array(Buffer.concat([Buffer.from(start), bytes]));
      const http = `<meta http-equiv="Content-Type" content="text/html; charset=${encoding}">`;
      expect(decodeBody(bytes, `text/html; charset=${encoding}`)).toBe(text);
      expect(decodeBody(startingWith(`<meta charset="${encoding}">`), "text/html")).toContain(text);
      expect(decodeBody(startingWith(`<html><head>${http}`), undefined)).toContain(text);
      expect(decodeBody(startingWith(`<?xml version="1.0" encoding="${encoding}"?><p>`), "text/xml")).toContain(text);
      expect(decodeBody(startingWith("<!doctype html><html><body><p>"), undefined)).toContain(text);
    });
  }

  it("a byte-order mark beats header and meta, and is not part of the text", () => {
    const marked = new Uint8Array(Buffer.from("\ufeffé"));
    expect(decodeBody(marked, "text/html; charset=windows-1251")).toBe("é");
    expect(decodeBody(bytesOf("fffee9003d00"), "text/html; charset=utf-8")).toBe("é=");
    expect(decodeBody(bytesOf("feff00e9003d"), undefined)).toBe("é=");
  });

  it("the header beats the meta", () => {
    const page = latin1('<meta charset="koi8-r">\xcc\xee\xf1\xea\xe2\xe0');
    expect(decodeBody(page, "text/html; charset=windows-1251")).toContain("Москва");
  });

  it("a declared UTF-8 wins over another declaration when the bytes are UTF-8", () => {
    expect(decodeBody(utf8('<meta charset="utf-8">naïve'), "text/html; charset=iso-8859-1")).toContain("naïve");
    expect(decodeBody(utf8('<meta charset="windows-1251">naïve'), "text/html; charset=utf-8")).toContain("naïve");
  });

  it("words of GBK that happen to be UTF-8 are read as GBK", () => {
    // 学习模式
    const page = Buffer.concat([latin1("<p>"), bytesOf("d1a7cfb0c4a3cabd"), latin1("</p>")]);
    expect(decodeBody(page, "text/html; charset=gbk")).toBe("<p>学习模式</p>");
  });

  it("UTF-8 that a server calls something else is read as UTF-8, unless it may be by chance", () => {
    const text = '{"of":"Größe, naïve, été — 日本"}';
    for (const label of ["iso-8859-1", "windows-1251", "shift_jis", "gbk"]) {
      expect(decodeBody(utf8(text), `application/json; charset=${label}`)).toBe(text);
    }
    expect(decodeBody(utf8(`<meta charset="iso-8859-1">${text}`), "text/html")).toContain(text);
    expect(decodeBody(latin1("\xabCAF\xc9\xbb"), "text/html; charset=iso-8859-1")).toBe("«CAFÉ»");
    expect(decodeBody(latin1("CAF\xc9\xbb"), "text/html; charset=iso-8859-1")).toBe("CAFÉ»");
  });

  it("a declared UTF-8 loses to another declaration when the bytes are not UTF-8", () => {
    const page = latin1('<meta charset="windows-1251">\xcc\xee\xf1\xea\xe2\xe0');
    expect(decodeBody(page, "text/html; charset=utf-8")).toContain("Москва");
  });

  it("broken bytes of a declared UTF-8 become replacement characters", () => {
    expect(decodeBody(latin1("caf\xe9!"), "text/html; charset=utf-8")).toBe("caf\ufffd!");
  });

  it("a text that is called UTF-8, most of whose characters are no part of it, is what its bytes say", () => {
    const page = latin1(
      "<p>\xd1\xf2\xe0\xf0\xfb\xe9 \xec\xe0\xff\xea \xed\xe0 \xe1\xe5\xf0\xe5\xe3\xf3 \xee\xf1\xe2\xe5\xf9\xe0\xe5\xf2 \xef\xf3\xf2\xfc</p>",
    );
    for (const declared of ["text/html; charset=utf-8", "text/html"]) {
      expect(decodeBody(page, declared)).toBe("<p>Старый маяк на берегу освещает путь</p>");
    }
    const chinese = "b5c6cbfed4dab0b6c9cfb7a2b9e2a3acd2b9c0efd5d5c1c1cbaecad6b5c4c2b7";
    const twice = bytesOf(chinese + chinese);
    expect(decodeBody(twice, "text/plain; charset=utf-8")).toBe("灯塔在岸上发光，夜里照亮水手的路".repeat(2));
  });

  it("Japanese by escapes is recognised without a declaration", () => {
    const page = latin1("<p>\x1b$B3$4_$NEtBf\x1b(B and a harbour</p>");
    expect(decodeBody(page, undefined)).toBe("<p>海岸の灯台 and a harbour</p>");
    expect(decodeBody(latin1("\x1b$B is the escape"), undefined)).toBe("\x1b$B is the escape");
  });

  it("UTF-8 without a declaration, also when cut in the middle of a character", () => {
    const page = utf8("Größe, naïve, 日本語 and more — text");
    expect(decodeBody(page, undefined)).toBe("Größe, naïve, 日本語 and more — text");
    expect(decodeBody(page.subarray(0, 15 + 8), undefined)).toMatch(/^Größe, naïve, 日\ufffd?/);
  });

  it("UTF-16 without a mark, whatever is declared", () => {
    const little = new Uint8Array(Buffer.from("<p>Größe</p>", "utf16le"));
    const big = little.map((_, index) => little[index ^ 1]!);
    for (const declared of [undefined, "text/html", "text/html; charset=utf-16", "text/html; charset=utf-8"]) {
      expect(decodeBody(little, declared)).toBe("<p>Größe</p>");
      expect(decodeBody(big, declared)).toBe("<p>Größe</p>");
    }
  });

  it("UTF-16 of other letters than Latin ones, without a mark, by header", () => {
    for (const text of ["Привет, мир и все остальные", "中文网页的内容 应该能够正确地显示出来"]) {
      const little = new Uint8Array(Buffer.from(text, "utf16le"));
      const big = little.map((_, index) => little[index ^ 1]!);
      for (const label of ["utf-16", "UTF-16LE"]) expect(decodeBody(little, `text/plain; charset=${label}`)).toBe(text);
      expect(decodeBody(big, "text/plain; charset=utf-16be")).toBe(text);
    }
  });

  it("a declared UTF-16 does not garble bytes that are none", () => {
    expect(decodeBody(utf8('<meta charset="utf-16"><p>Größe'), undefined)).toContain("Größe");
    expect(decodeBody(utf8("<p>Größe"), "text/html; charset=utf-16")).toBe("<p>Größe");
  });

  it("labels of the web: ISO-8859-1 is windows-1252, x-user-defined too, unknown ones count as none", () => {
    for (const label of ["iso-8859-1", "latin1", "us-ascii", "x-user-defined", "windows-1252", '"ISO-8859-1"']) {
      expect(decodeBody(latin1("\x93caf\xe9\x94"), `text/html; charset=${label}`)).toBe("“café”");
    }
    expect(decodeBody(utf8("naïve"), "text/html; charset=no-such-charset")).toBe("naïve");
    expect(decodeBody(latin1("caf\xe9 cr\xe8me"), "text/html; charset=%%%")).toBe("café crème");
  });

  it("EUC-KR has the syllables that Windows added to it, and still ends broken pairs before ASCII", () => {
    // 똠, 펲 and 뷁 are none of the Korean standard's syllables, 각 and 시 are.
    const hex = "3c703e8c63b0a2c7cf20bc84bdc3208141a2e6c6522094ee3c2f703e";
    for (const label of ["euc-kr", "ks_c_5601-1987", "windows-949"]) {
      expect(decodeBody(bytesOf(hex), `text/html; charset=${label}`)).toBe("<p>똠각하 펲시 갂€힣 뷁</p>");
    }
    expect(decodeBody(bytesOf("c7418c633c623e"), "text/html; charset=euc-kr")).toBe("\ufffdA똠<b>");
  });

  it("the bytes of a body stay as they are", () => {
    const body = Buffer.from("8141b0a1", "hex");
    expect(decodeBody(body, "text/html; charset=euc-kr")).toBe("갂가");
    expect(body.toString("hex")).toBe("8141b0a1");
  });

  it("Big5 has the characters that were added to it for Hong Kong, and the kana and signs of Taiwanese pages", () => {
    const hex =
      "3c703eca5c925d9df6abd7adb99df79df89dcfa141ab59a7da9defa143acc3af5dc755a5a4aff920c7fa20c6b53c2f703e" +
      "88628864fb788741";
    for (const label of ["big5", "big5-hkscs", "cn-big5"]) {
      expect(decodeBody(bytesOf(hex), `text/html; charset=${label}`)).toBe(
        "<p>佢哋喺度食咗啲嘢，係我嘅。珍珠の奶茶 Ж ⅰ</p>Ê̄Ê̌𤉸䰲",
      );
    }
    // What means nothing: a pair before the first row, one without a character in a row, a byte that starts none.
    expect(decodeBody(bytesOf("3c703e814087e0ff3c2f703e"), "text/html; charset=big5")).toBe(
      "<p>\ufffd\ufffd\ufffd</p>",
    );
  });

  it("ISO-2022-JP is ASCII to look at, and needs its declaration", () => {
    const bytes = bytesOf("1b24422422242424261b2842");
    expect(decodeBody(bytes, "text/html; charset=iso-2022-jp")).toBe("あいう");
  });

  it.each([
    "A pot of tea for £5, and 25 m³ of gas at ¼ of the price",
    "Caffè così buono non c'è più",
    "crème brûlée aux œufs",
    "¿Qué es esto?",
    "Þórður fór út í búð að kaupa mjólk og þótti það gott",
    "two\u00a0\u00a0\u00a0\u00a0\u00a0spaces",
  ])("bytes of the West that a few letters alone could take elsewhere: %s", (text) => {
    const bytes = latin1(text.replaceAll("œ", "\x9c"));
    expect(decodeBody(bytes, "text/html")).toBe(text);
  });

  it.each([
    ["windows-1251", "d6e520f7f3e4eee2e8e920e4e5edfc"],
    ["koi8-u", "e3c520ded5c4cfd7c9ca20c4c5ced8"],
    ["ibm866", "96a520e7e3a4aea2a8a920a4a5adec"],
    ["iso-8859-5", "c6d520e7e3d4ded2d8d920d4d5ddec"],
  ])("three words of another script are enough: %s", (_encoding, hex) => {
    expect(decodeBody(bytesOf(hex), "text/plain")).toBe("Це чудовий день");
  });

  it("a meta inside a comment does not count, one after 3,000 bytes of head does", () => {
    const commented = latin1('<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">\xcc\xee');
    expect(decodeBody(commented, undefined)).toContain("Мо");
    const late = latin1(`<script>${"x".repeat(3_000)}</script><META CHARSET=windows-1251 >\xcc\xee`);
    expect(decodeBody(late, undefined)).toContain("Мо");
  });

  it("what a browser rendered is UTF-8, whatever it still declares", () => {
    expect(decodeBody(utf8('<meta charset="shift_jis">日本語'), "text/html; charset=shift_jis", true)).toContain(
      "日本語",
    );
  });

  it("NUL bytes are left out; an empty body is empty", () => {
    expect(decodeBody(latin1("a\0b\0\0c and some more text"), "text/html")).toBe("abc and some more text");
    expect(decodeBody(new Uint8Array(), "text/html")).toBe("");
  });

  it("gives the same text piece by piece, also if the bytes are no characters", () => {
    const marks = ["a", "é", "中", "😀", "\ufeff", "\0"].map((text) => utf8(text));
    const broken = ["80", "80808080", "f09f98", "e4b8", "c3", "ff", "eda080"].map(bytesOf);
    // Of different lengths, so that a piece ends anywhere in each of them.
    for (const some of [...marks, ...broken, ...broken.flatMap((bytes) => marks.map((mark) => [...bytes, ...mark]))]) {
      for (const first of ["", "\ufeff", "x", "xy", "xyz"]) {
        const bytes = new Uint8Array([...utf8(first), ...Array.from({ length: 20_000 }, () => [...some]).flat()]);
        const pieces = [...decodeInPieces(bytes)];
        expect(pieces.length).toBeGreaterThan(1);
        // Rendered, so that zero bytes are not taken for those of UTF-16.
        expect(pieces.join("")).toBe(decodeBody(bytes, undefined, true));
      }
    }
  });

  it("takes linear time on bodies made to be slow", () => {
    const started = cpuTime();
    for (const piece of ['<meta a="', "<meta charset", "<!--", "<meta =", "charset = ", "\x81", "<"]) {
      decodeBody(latin1(`${piece.repeat(200_000)}\xe9`), piece.repeat(1_000));
    }
    expect(cpuTime() - started).toBeLessThan(3_000);
  });
});
