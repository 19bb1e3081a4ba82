import fc from "fast-check";
import { expect, test } from "vitest";
import { HashSet64 } from "../src/frontier/hash-set.ts";

test("holds what a Set holds", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 400 }), (keys) => {
      const compact = new HashSet64();
      const plain = new Set<string>();
      for (const key of keys) {
        expect(compact.add(key)).toBe(!plain.has(key));
        plain.add(key);
      }
      expect(compact.size).toBe(plain.size);
      for (const key of keys) expect(compact.has(key)).toBe(true);
      expect(compact.has("not a key of it")).toBe(false);
    }),
  );
});

test("keeps 200,000 similar keys apart in under 64 bytes each", () => {
  const set = new HashSet64();
  const before = process.memoryUsage().arrayBuffers;
  for (let page = 0; page < 200_000; page++) if (!set.add(`example.com/a?page=${page}`)) expect.unreachable();
  for (let page = 0; page < 200_000; page++) if (!set.has(`example.com/a?page=${page}`)) expect.unreachable();
  for (let page = 0; page < 200_000; page++) if (set.has(`example.com/b?page=${page}`)) expect.unreachable();
  expect(set.size).toBe(200_000);
  // Earlier, smaller tables may still wait for the garbage collector.
  expect((process.memoryUsage().arrayBuffers - before) / 200_000).toBeLessThan(64);
});
