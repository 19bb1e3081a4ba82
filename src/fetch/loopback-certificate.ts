/** A certificate that nobody needs to trust, for TLS within this process, where its key is created and stays. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** DER, the encoding of X.509: a tag, the length, the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { byteLength } = content;
  const length =
    byteLength < 0x80
      ? [byteLength]
      : byteLength < 0x100
        ? [0x81, byteLength]
        : [0x82, byteLength >> 8, byteLength & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

/** Version 3, which browsers insist on. */
const version = der(0xa0, der(0x02, Buffer.from([2])));
const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
const name = sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from("loopback")))));
const validity = sequence(utcTime("200101000000Z"), utcTime("491231235959Z"));

/** Key and certificate, signed by itself, in PEM form. */
export function loopbackCertificate(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // Positive, and never the same: browsers remember serial numbers.
  const serial = der(0x02, Buffer.from([1]), randomBytes(8));
  const subject = publicKey.export({ type: "spki", format: "der" });
  const statement = sequence(version, serial, ecdsaWithSha256, name, validity, name, subject);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", statement, privateKey));
  const certificate = sequence(statement, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
