/** Languages of whose words the model knows little: what markup and punctuation say must do. */
import { expect, test } from "vitest";
import { countText, HASHED_WORDS, STATISTIC, STATISTIC_COUNT } from "../src/transform/main-content/text-statistics.ts";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped } from "./scraped.ts";

const head = (rank: number, text: string): string =>
  `<div class="titlepage"><div><div><h${rank} class="title">${text}</h${rank}></div></div></div>`;

const figure = (title: string, ...pictures: readonly (readonly [file: string, caption: string])[]): string =>
  `<div class="figure"><p class="title"><strong>${title}</strong></p><div class="figure-contents">${pictures
    .map(
      ([file, caption]) =>
        `<div class="mediaobject"><img src="/images/${file}" alt="${title}"><div class="caption"><p>${caption}</p></div></div>`,
    )
    .join("")}</div></div>`;

const turn = (key: string, file: string, label: string): string =>
  `<a accesskey="${key}" href="${file}.html"><img src="/images/${file}.png" alt="${label}"></a>`;

const settings = Array.from(
  { length: 40 },
  (_, number) =>
    `<dt><span class="term">Положение ${number + 1}</span></dt><dd><p>В этом положении барабан делает ${number + 3} оборотов в минуту, и за это время выбирается ${number + 1} м цепи.</p></dd>`,
).join("");

/** A section as converters of manuals write it, with its links around the text. */
const russian = `<html><head><title>4.2. Якорная лебёдка</title><meta name="generator" content="DocBook XSL Stylesheets"></head><body>
<div class="navheader"><table width="100%" summary="Navigation header"><tr><th colspan="3">4.2. Якорная лебёдка для катеров и небольших парусных яхт</th></tr>
<tr><td>${turn("p", "chain", "Пред.")}</td><th>Глава 4. Палубное оборудование и уход за ним в море</th><td>${turn("n", "rope", "След.")}</td></tr></table><hr></div>
<div class="sect2">${head(3, "4.2. Якорная лебёдка")}
<div class="sect3">${head(4, "4.2.1. Общие сведения")}${figure("Рисунок 4.7. Лебёдка", ["before.png", "До подъёма"], ["after.png", "После подъёма"])}
<p>Лебёдка поднимает якорь и держит цепь, пока судно стоит. Перед работой проверьте, что стопор снят, а цепь лежит в ящике ровно и без узлов.</p></div>
<div class="sect3">${head(4, "4.2.2. Параметры")}<p>Скорость барабана задаётся рукояткой справа. На малой скорости лебёдка тянет сильнее, на большой быстрее выбирает свободную цепь.</p>
<div class="variablelist"><dl>${settings}</dl></div>
<p>На рисунке ниже показаны оба положения рукоятки:</p>${figure("Рисунок 4.8. Рукоятка", ["slow.png", "Малая скорость"], ["fast.png", "Большая скорость"])}</div>
<div class="sect3">${head(4, "4.2.3. Пример")}${figure("Рисунок 4.9. Стоянка", ["mole.png", "Катер у мола"])}</div></div>
<div class="navfooter"><hr><table width="100%" summary="Navigation footer"><tr><td>${turn("p", "chain", "Пред.")}</td><td>${turn("u", "deck", "Наверх")}</td><td>${turn("n", "rope", "След.")}</td></tr>
<tr><td>4.1. Якорная цепь</td><td>${turn("h", "index", "Начало")}</td><td>4.3. Тросы</td></tr></table></div></body></html>`;

test("figures of a manual stay with their captions and the headings above them", async () => {
  const markdown = await scraped(russian, {}, "/docs/manual/ru/winch.html");
  for (const kept of [
    "4.2.1. Общие сведения",
    "Рисунок 4.7. Лебёдка",
    "/images/after.png",
    "После подъёма",
    "Рисунок 4.8. Рукоятка",
    "/images/fast.png",
    "Большая скорость",
    "4.2.3. Пример",
    "Рисунок 4.9. Стоянка",
    "/images/mole.png",
    "Катер у мола",
  ]) {
    expect(markdown).toContain(kept);
  }
});

test("the links around a manual go, whatever language they are in", async () => {
  const markdown = await scraped(russian, {}, "/docs/manual/ru/winch.html");
  for (const left of ["Пред.", "След.", "Начало", "Глава 4.", "4.3. Тросы", "chain.png", "| --- |"]) {
    expect(markdown).not.toContain(left);
  }
});

test("the contents of a chapter stay between its title and its first text", async () => {
  const parts = ["Φανοί", "Φακοί", "Ωρολογιακός μηχανισμός", "Σειρήνες ομίχλης", "Σκάλες", "Χρώματα"];
  const entry = (place: string, text: string): string =>
    `<dt><strong><span class="sect1"><a href="${place}.html">${text}</a></span></strong></dt>`;
  const contents = parts.map((part, index) => {
    const place = `ch03s0${index + 1}`;
    const below = [1, 2, 3].map((number) =>
      entry(`${place}-${number}`, `3.${index + 1}.${number}. Έλεγχος και συντήρηση`),
    );
    return `${entry(place, `3.${index + 1}. ${part}`)}<dd><dl>${below.join("")}</dl></dd>`;
  });
  const bar = `<table width="100%"><tr><td>${turn("p", "ch02", "Προηγ")}</td><td>${turn("n", "ch04", "Επόμενο")}</td></tr></table>`;
  const markdown = await scraped(
    `<html><head><title>Κεφάλαιο 3. Πριν ανάψει το φως</title><meta name="generator" content="DocBook XSL Stylesheets"></head><body>
<div class="navheader">${bar}<hr></div><div class="chapter">${head(1, "Κεφάλαιο 3. Πριν ανάψει το φως")}
<div class="toc"><p><strong>Πίνακας Περιεχομένων</strong></p><dl class="toc">${contents.join("")}</dl></div>
<p>Το κεφάλαιο αυτό περιγράφει τι πρέπει να ελέγξει ο φαροφύλακας πριν από τη δύση του ηλίου.</p></div>
<div class="navfooter"><hr>${bar}</div></body></html>`,
    {},
    "/docs/manual/el/ch03.html",
  );
  for (const part of parts) expect(markdown).toContain(part);
  expect(markdown).toContain("Πίνακας Περιεχομένων");
});

test("the contents of a book stay below its title page, whose copyright is left out", async () => {
  const credits = ["Josef Brandt", "Osamu Ishii", "Helga Kranz"].map(
    (name, place) =>
      `<div class="author"><h3 class="author">${name}</h3><span class="contrib">${place === 0 ? "Ursprüngliche Inhalte" : "Übersetzung"}</span></div>`,
  );
  const chapters = [
    "Einstieg, aber richtig!",
    "Erste Schritte",
    "Verändern der Quellen",
    "Benötigte Dateien",
    "Andere Dateien",
    "Bauen des Pakets",
    "Auf Fehler überprüfen",
    "Das Paket hochladen",
  ];
  const entry = (place: string, text: string): string =>
    `<dt><span class="section"><a href="${place}.de.html">${text}</a></span></dt>`;
  const contents = chapters.map((chapter, index) => {
    const below = ["Die Datei control", "Die Datei copyright", "Die Datei rules", "Häufige Fehler"].map(
      (text, number) => entry(`ch${index + 1}#s${number}`, `${index + 1}.${number + 1}. ${text}`),
    );
    return `${entry(`ch${index + 1}`, `${index + 1}. ${chapter}`)}<dd><dl>${below.join("")}</dl></dd>`;
  });
  const markdown = await scraped(
    `<html><head><title>Leitfaden für neue Leuchtturmwärter</title><meta name="generator" content="DocBook XSL Stylesheets"></head><body>
<div class="navheader"><table width="100%"><tr><th colspan="3">Leitfaden für neue Leuchtturmwärter</th></tr><tr><td>${turn("n", "ch1", "Weiter")}</td></tr></table><hr></div>
<div class="book"><div class="titlepage"><div><div><h1 class="title">Leitfaden für neue Leuchtturmwärter</h1></div><div><div class="authorgroup">${credits.join("")}</div></div>
<div><p class="releaseinfo">Version 1.2.53</p></div><div><div class="legalnotice">
<p>Dieses Dokument darf gemäß der Bedingungen der GNU General Public License Version 2 oder neuer verwendet werden.</p>
<p>Diesem Dokument liegen die Beispiele der folgenden zwei Dokumente zu Grunde:</p><div class="itemizedlist"><ul class="itemizedlist">
<li class="listitem"><p>Making a Lighthouse, Copyright © 1997 Jarl Vester.</p></li><li class="listitem"><p>Die Überarbeitung dieser Anleitung mit aktualisierten Inhalten und weiteren praktischen Beispielen ist als »Handbuch der Küstenfeuer« verfügbar. Bitte verwenden Sie diese neue Anleitung als primäre Anleitung.</p></li></ul></div></div></div>
<div><p class="copyright">Copyright © 1998-2002 Josef Brandt</p></div><div><p class="copyright">Copyright © 2005-2015 Osamu Ishii</p></div></div><hr></div>
<div class="toc"><p><strong>Inhaltsverzeichnis</strong></p><dl class="toc">${contents.join("")}</dl></div></div>
<div class="navfooter"><hr><table width="100%"><tr><td>${turn("n", "ch1", "Weiter")}</td></tr></table></div></body></html>`,
    {},
    "/docs/guide/index.de.html",
  );
  expect(markdown).toContain("weiteren praktischen Beispielen");
  for (const chapter of chapters) expect(markdown).toContain(chapter);
  expect(markdown).toContain("8.4. Häufige Fehler");
});

/** What the scan of a text counts, by the names of its columns. */
function counted(text: string): Record<string, number> {
  const row = new Float32Array(STATISTIC_COUNT);
  countText(text, row, 0, { hashes: new Int32Array(HASHED_WORDS), next: 0, end: HASHED_WORDS });
  return Object.fromEntries(Object.entries(STATISTIC).map(([name, column]) => [name, row[column]!]));
}

test.each([
  ["Arabic", "هل وصلت السفينة؟ نعم، وصلت ليلا؛ والميناء هادئ", { words: 8, commas: 2, questions: 1 }],
  ["Urdu", "جہاز رات کو آیا۔ بندرگاہ خاموش ہے۔", { words: 7, sentenceEnds: 2 }],
  ["Hindi", "जहाज़ रात को आया। बंदरगाह शांत है।", { words: 7, sentenceEnds: 2 }],
  ["Armenian", "Նավը եկավ գիշերը։", { words: 3, sentenceEnds: 1 }],
  ["Amharic", "መርከቡ፡ማታ፡ደረሰ።", { words: 3, sentenceEnds: 1 }],
])("a text in %s is counted by its own punctuation", (_, text, expected) => {
  expect(counted(text)).toMatchObject(expected);
});

test.each([
  ["Thai", "เรือเข้าเทียบท่าในเวลากลางคืนและลูกเรือก็ขึ้นฝั่ง"],
  ["Khmer", "កប៉ាល់មកដល់កំពង់ផែនៅពេលយប់ហើយនាវិកបានឡើងគោក"],
  ["Burmese", "သင်္ဘောသည်ညအချိန်တွင်ဆိပ်ကမ်းသို့ရောက်ရှိလာသည်"],
])("a text in %s, which does not separate words, has as many as its length suggests", (_, text) => {
  const { words } = counted(text);
  expect(words).toBeGreaterThan(text.length / 8);
  expect(words).toBeLessThan(text.length / 3);
});

test.each([
  ["English", "How is the lamp lit in winter?"],
  ["Chinese", "冬天怎样点灯？"],
  ["Japanese", "冬の夜に灯台のランプを灯すにはどうすればよいですか？"],
  ["Arabic", "كيف يضاء المصباح في الشتاء؟"],
  ["Greek", "Πώς ανάβει η λάμπα τον χειμώνα;"],
  ["Armenian", "Ինչպե՞ս են վառում լամպը ձմռանը"],
])("a question in %s stays above its answer", (_, question) => {
  const answers = ["oil", "gas"].map((what) => `<div><div data-sum="-3">${question}</div>${paragraph(what)}</div>`);
  const kept = keptOf("article", `<main><h1>The lamp</h1>${answers.join("")}</main>`);
  expect(kept.filter((text) => text === question)).toHaveLength(2);
});

test("what ends in a semicolon elsewhere is no question", () => {
  const html = `<main><h1>The lamp</h1><div><div data-sum="-3">let lamp = new Lamp();</div>${paragraph("oil")}</div></main>`;
  expect(keptOf("article", html)).not.toContain("let lamp = new Lamp();");
});

test("an index whose name is written without spaces keeps its entries", () => {
  const entries = Array.from({ length: 12 }, (_, number) => `<li><a href="/${number}">灯台 ${number}</a></li>`);
  const html = `<head><title>用語索引 - 港</title></head><body><main><h1>用語索引</h1><ul data-sum="-3">${entries.join("")}</ul></main></body>`;
  expect(keptOf("documentation", html)).toContain("灯台 11");
});
