import { z } from "zod";

/**
 * A value that passes a test. Unlike `z.custom` alone, one that does not lets the rules between the other fields of its
 * object have their say.
 */
export function ofForm<Value>(isOne: (value: unknown) => boolean, message: string): z.ZodType<Value, Value> {
  return z.custom<Value>(isOne, { error: message, abort: false });
}
