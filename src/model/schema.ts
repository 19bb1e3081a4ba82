/** The schema of a request, from whatever library: as JSON Schema, and with a check of answers against it. */

import { z } from "zod";
import {
  isStandardSchema,
  type JsonSchema,
  type SchemaOption,
  type StandardSchema,
} from "../contract/schema-option.ts";
import { type ErrorDetail, RequestError } from "../errors.ts";
import { errorText } from "../shared/error-text.ts";
import { checkInTurns } from "./check-in-turns.ts";
import { unbundle } from "./schema-bundles.ts";
import { schemaProblems, sizeProblems } from "./schema-check.ts";
import type { ValidationIssue } from "./schema-run.ts";
import { freeCaughtFields } from "./zod-catches.ts";
import { noteConversions } from "./zod-conversions.ts";
import { datesAsText } from "./zod-dates.ts";
import { keepFlags } from "./zod-patterns.ts";

export interface AnswerSchema {
  readonly json: JsonSchema;
  readonly validate: (value: unknown) => Promise<readonly ValidationIssue[]>;
  /** Converts a valid answer with the schema's own library: fills in defaults, converts strings to dates. */
  readonly convert: (value: unknown) => Promise<Converted>;
}

type Converted = { readonly value: unknown } | { readonly issues: readonly ValidationIssue[] };

/** The objections of a library to an answer, for a warning. */
export function namedIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`.trim()).join("; ");
}

export type ToJsonSchema = (schema: SchemaOption) => { schema: JsonSchema } | { problems: ErrorDetail[] };

/** The schema as plain JSON, as a stored job needs it; or what is wrong with it, with paths relative to the schema. */
export function toJsonSchema(schema: SchemaOption): ReturnType<ToJsonSchema> {
  let plain: unknown;
  try {
    plain = isStandardSchema(schema) ? ofLibrary(schema) : schema;
    // A copy without functions, getters and prototypes, so that it is plain data from here on.
    plain = plain === undefined ? undefined : JSON.parse(JSON.stringify(plain));
  } catch (error) {
    return {
      problems: [
        {
          code: "invalid_schema",
          path: [],
          message: `cannot be turned into JSON Schema: ${errorText(error)}`,
        },
      ],
    };
  }
  if (plain === undefined) {
    const message = "cannot be turned into JSON Schema; give the JSON Schema itself, or a schema of zod 4";
    return { problems: [{ code: "invalid_schema", path: [], message }] };
  }
  const tooLarge = sizeProblems(plain);
  if (tooLarge.length > 0) return { problems: tooLarge };
  unbundle(plain);
  const problems = schemaProblems(plain);
  return problems.length > 0 ? { problems } : { schema: plain as JsonSchema };
}

/** The input side of the schema, before defaults and transformations: that is what a model is asked for. */
function ofLibrary(schema: StandardSchema): unknown {
  const standard = schema["~standard"] as StandardSchema["~standard"] & {
    readonly jsonSchema?: { readonly input?: (options: { target: string; libraryOptions?: object }) => unknown };
  };
  const isZod = standard.vendor === "zod" && "_zod" in schema;
  const convert = (zodOptions: ZodOptions) => {
    if (typeof standard.jsonSchema?.input === "function") {
      const libraryOptions = isZod ? { libraryOptions: zodOptions } : {};
      return standard.jsonSchema.input({ target: "draft-2020-12", ...libraryOptions });
    }
    const options = { io: "input", ...describedByHost(), ...zodOptions } as const;
    return isZod ? z.toJSONSchema(schema as unknown as z.ZodType, options) : undefined;
  };
  const adapt: NonNullable<ZodOptions["override"]> = (converted) => {
    keepFlags(converted);
    freeCaughtFields(converted);
    noteConversions(converted);
  };
  try {
    return convert({ override: adapt });
  } catch (error) {
    if (!isZod) throw error;
    const datesToText = datesAsText(error);
    const override: ZodOptions["override"] = (converted) => {
      datesToText(converted);
      adapt(converted);
    };
    return convert({ override, unrepresentable: "any" });
  }
}

/** Where the host's zod keeps the descriptions of its schemas, if it has any: the zod in this package keeps its own. */
function describedByHost(): Pick<z.core.ToJSONSchemaParams, "metadata"> {
  const { __zod_globalRegistry: metadata } = globalThis as { __zod_globalRegistry?: typeof z.globalRegistry };
  return metadata === undefined ? {} : { metadata };
}

type ZodOptions = Pick<z.core.ToJSONSchemaParams, "override" | "unrepresentable">;

/**
 * @throws RequestError `BAD_REQUEST` if the schema cannot be used; it has already been checked when the call was made
 */
export function readSchema(schema: SchemaOption, toJson: ToJsonSchema = toJsonSchema): AnswerSchema {
  const read = toJson(schema);
  if ("problems" in read) throw new RequestError("BAD_REQUEST", "Invalid schema", { details: read.problems });
  return {
    json: read.schema,
    validate: (value) => checkInTurns(read.schema, value),
    convert: isStandardSchema(schema) ? (value) => convert(schema, value) : async (value) => ({ value }),
  };
}

async function convert(schema: StandardSchema, value: unknown): Promise<Converted> {
  try {
    const result = (await schema["~standard"].validate(value)) as {
      readonly value?: unknown;
      readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
    };
    if (result.issues === undefined) return { value: result.value };
    return {
      issues: result.issues.slice(0, 20).map(({ message, path = [] }) => ({
        path: path
          .map((part) => String(typeof part === "object" && part !== null && "key" in part ? part.key : part))
          .join("."),
        message,
      })),
    };
  } catch (error) {
    return { issues: [{ path: "", message: errorText(error) }] };
  }
}
