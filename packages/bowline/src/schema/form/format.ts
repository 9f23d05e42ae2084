import type { StringField } from "./requested-schema.ts";

type Format = NonNullable<StringField["format"]>;

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const DATE_CHARS = 10;

/** What each format asks for, and a test of it. */
export const FORMATS: Readonly<
  Record<Format, readonly [expected: string, test: (text: string) => boolean]>
> = {
  email: ["an email address", (text) => EMAIL.test(text)],
  uri: ["an absolute URI", (text) => URI.test(text) && URL.canParse(text)],
  date: ["a date such as 2026-07-28", isDate],
  "date-time": ["a date and time with zone, such as 2026-07-28T12:00:00Z", isDateTime],
};

/** A day of the calendar: the thirtieth of February is none. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date, separator, time] = [
    text.slice(0, DATE_CHARS),
    text.charAt(DATE_CHARS),
    text.slice(DATE_CHARS + 1),
  ];
  return separator.toUpperCase() === "T" && isDate(date) && TIME.test(time);
}
