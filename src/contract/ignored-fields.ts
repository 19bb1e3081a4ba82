/** What clients of the service say about themselves; every request accepts it, so that they work unchanged. */
import { z } from "zod";

export const ignoredFields = {
  /** Name of the calling program; has no effect. */
  origin: z.string().nullish(),
  /** Name of the integration that calls; has no effect. */
  integration: z.string().nullish(),
};
