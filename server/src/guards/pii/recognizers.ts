import { iban } from "./bank.ts";
import { creditCard } from "./credit-card.ts";
import { cryptoAddress } from "./crypto-address.ts";
import { dateOfBirth } from "./date-of-birth.ts";
import { email } from "./email.ts";
import { passport, ukNino, usSsn } from "./government-ids.ts";
import { ipAddress, macAddress } from "./network.ts";
import { phone } from "./phone.ts";
import type { Recognizer } from "./recognizer.ts";
import { streetAddress } from "./street-address.ts";

const RECOGNIZERS: readonly Recognizer[] = [
  email,
  phone,
  creditCard,
  iban,
  usSsn,
  ukNino,
  ipAddress,
  macAddress,
  dateOfBirth,
  passport,
  streetAddress,
  cryptoAddress,
];

export const PII_ENTITIES: readonly string[] = RECOGNIZERS.map(({ entity }) => entity);

export function recognizerOf(entity: string): Recognizer {
  const recognizer = RECOGNIZERS.find((each) => each.entity === entity);
  if (recognizer === undefined) throw new TypeError(`unknown entity ${entity}`);
  return recognizer;
}
