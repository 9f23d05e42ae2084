import type { StringField } from "./requested-schema.ts";

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
const DATE_CHARS = 10;
const DATE_TIME =
  /^(.{10})t(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Whether a text is written as a form says. */
export function isFormatted(format: NonNullable<StringField["format"]>, text: string): boolean {
  switch (format) {
    case "email":
      return EMAIL.test(text);
    case "uri":
      return URI.test(text) && URL.canParse(text);
    case "date":
      return isDate(text);
    case "date-time":
      return isDate(DATE_TIME.exec(text)?.[1] ?? "");
    default:
      return format satisfies never;
  }
}

/** A day of the calendar, which comes back as it was: the thirtieth of February does not. */
const isDate = (text: string): boolean =>
  text.length === DATE_CHARS && JSON.stringify(new Date(`${text}T00:00Z`)).includes(text);
