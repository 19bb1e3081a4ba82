/**
 * What clients of the service say about themselves. Every request accepts these fields, so that the clients work
 * unchanged.
 */
import { z } from "zod";
import type { Fields } from "./fields.ts";

/** Fields that every request accepts, and that have no effect. */
export interface IgnoredFields {
  /** Name of the calling program; has no effect. */
  origin?: string | null | undefined;
  /** Name of the integration that calls; has no effect. */
  integration?: string | null | undefined;
}

export const ignoredFields = {
  origin: z.string().nullish(),
  integration: z.string().nullish(),
} satisfies Fields<IgnoredFields>;
