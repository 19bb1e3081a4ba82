/** The billing suite tells a billing that is wrong in one place from one that is right. */

import { expect, test } from "vitest";
import { prepaidBilling } from "../examples/prepaid-billing.ts";
import type { Billing } from "../src/index.ts";
import { testBilling } from "../src/testing/index.ts";
import { firstFailure } from "./first-failure.ts";

const failureOf = (change: (billing: Billing) => Partial<Billing>) =>
  firstFailure((test) =>
    testBilling({
      test,
      refuses: true,
      create() {
        const credits = new Map(["team-a", "team-b"].map((team) => [team, 100]));
        const right = prepaidBilling(credits);
        return { billing: { ...right, ...change(right) }, spent: (team) => 100 - (credits.get(team) ?? 0) };
      },
    }),
  );

const wrong: Readonly<Record<string, (billing: Billing) => Partial<Billing>>> = {
  "forgets the first of two reservations": (billing) => ({
    async authorize(request, reservation) {
      await billing.release?.(reservation);
      return billing.authorize(request, reservation);
    },
  }),
  "reserves what is there when it refuses": (billing) => ({
    async authorize(request, reservation) {
      const answer = await billing.authorize(request, reservation);
      if (!answer.allowed) await billing.authorize({ ...request, atLeast: 100 }, { ...reservation, id: "refused" });
      return answer;
    },
  }),
  "knows no maps": (billing) => ({
    charge(charge) {
      if (charge.kind === "map") throw new Error("What is a map?");
      return billing.charge(charge);
    },
  }),
};

test("the billing that the wrong ones are made of is right", async () => {
  expect(await failureOf(() => ({}))).toBe(undefined);
});

test.each(Object.keys(wrong))("caught: a billing that %s", async (name) => {
  expect(await failureOf(wrong[name]!)).toBeDefined();
});
