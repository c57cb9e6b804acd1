import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { isJoined, type Recognizer } from "./recognizer.ts";

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez";
const ISO = /(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/g;
const NUMERIC = /(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4}|\d{2})/g;
const DAY_FIRST = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th|\\.)?[ -](?:of )?(?:${MONTHS})[a-zä]{0,6}\\.?,?[ -](\\d{4})`,
  "g",
);
const MONTH_FIRST = new RegExp(`(?:${MONTHS})[a-zä]{0,6}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`, "g");
const CONTEXT = contextWords([
  ...["birth", "born", "dob", "d\\.o\\.b", "b-day", "bday", "birthday", "date_of_birth", "geburt", "geboren"],
  ...["naissance", "né le", "née le", "nacimiento", "nacid", "nascita", "nato ", "nata "],
]);

/** A date is a date of birth only if the text says so: without a context word, there is no finding. */
export const dateOfBirth: Recognizer = {
  entity: "date_of_birth",
  literals: [
    "birth",
    "born",
    "dob",
    "d.o.b",
    "b-day",
    "bday",
    "geb",
    "naiss",
    "né le",
    "née le",
    "nacim",
    "nacid",
    "nascita",
    "nato ",
    "nata ",
  ],
  keyTrigger: CONTEXT,
  minDigits: 4,
  find(form, found) {
    const { lower } = form;
    const report = (match: RegExpExecArray, year: number, isDate: boolean) => {
      const start = match.index;
      const end = start + match[0].length;
      if (!isDate || !isBirthYear(year) || isJoined(lower, start, end)) return;
      if (form.hasContext(start, end, CONTEXT)) found(start, end, withContext(7, true));
    };
    for (const match of allMatches(ISO, lower)) report(match, Number(match[1]), isDayAndMonth(match[3], match[2]));
    for (const match of allMatches(NUMERIC, lower)) {
      report(match, fullYear(match[3]), isDayAndMonth(match[1], match[2]) || isDayAndMonth(match[2], match[1]));
    }
    for (const match of allMatches(DAY_FIRST, lower)) report(match, Number(match[2]), isDayAndMonth(match[1], "1"));
    for (const match of allMatches(MONTH_FIRST, lower)) report(match, Number(match[2]), isDayAndMonth(match[1], "1"));
  },
};

function isDayAndMonth(day: string | undefined, month: string | undefined): boolean {
  const d = Number(day);
  const m = Number(month);
  return d >= 1 && d <= 31 && m >= 1 && m <= 12;
}

function fullYear(year = ""): number {
  return year.length === 4 ? Number(year) : 1900 + Number(year);
}

function isBirthYear(year: number): boolean {
  return year >= 1900 && year <= 2099;
}
