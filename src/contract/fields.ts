/**
 * Types that tie a schema to the interface that documents it. The interface is written out because a caller's editor
 * shows its comments.
 */
import type { z } from "zod";

/** A schema for each field of `Request`, no more and no less. */
export type Fields<Request> = { [Key in keyof Request]-?: z.ZodType<unknown, Request[Key]> };

/** `Request` with its defaults filled in; the `Open` fields have none. */
export type Filled<Request, Open extends keyof Request = never> = Required<Omit<Request, Open>> & Pick<Request, Open>;
