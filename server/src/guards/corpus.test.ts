/**
 * Precision and recall of the built-in guards, on samples that are generated and on text that was written for other purposes.
 * Prints a table; the floors are part of docs/guide/guards.md.
 */
import assert from "node:assert/strict";
import { after, describe, it, type TestContext } from "node:test";
import { systemClock } from "#lib/clock";
import { download, hiddenText, injection, poisonedDescription } from "#test/guard-corpus/instructions";
import { documentation, lockFiles, nearMisses, randomDigits, toolAnswers } from "#test/guard-corpus/negatives";
import { PERSONAL_DATA, type Sample } from "#test/guard-corpus/personal-data";
import { CorpusRandom } from "#test/guard-corpus/random";
import { PROVIDER_SECRETS, privateKey, providerSecret, structuredSecret } from "#test/guard-corpus/secrets";
import { patientEngine } from "#test/guard-kit";
import { BUILT_IN_GUARDS } from "./builtins.ts";
import type { GuardDefinition } from "./definition.ts";
import type { Evaluation } from "./evaluation.ts";
import { GuardSet } from "./guard-set.ts";
import { contentPayload, type Payload, toolPayload } from "./payload.ts";
import { validateCheck } from "./validate-check.ts";

const SAMPLES = 400;
const engine = patientEngine();
after(() => engine.close());

/** The negatives of a family: texts in which nothing of its kind occurs. */
const NEGATIVES = [
  ...documentation(4_000),
  ...lockFiles(2_000),
  ...randomDigits(new CorpusRandom(1), 4_000),
  ...toolAnswers(new CorpusRandom(2), 2_000),
  ...nearMisses(new CorpusRandom(7), 3_000),
];

interface Floors {
  readonly recall: number;
  readonly precision: number;
}

type Evaluate = (payload: Payload) => Promise<Evaluation>;

function evaluatorOf(guard: GuardDefinition): Evaluate {
  const selection = new GuardSet([{ ...guard, action: "log" }], systemClock).selectOne(guard.slug);
  assert.ok(selection);
  return async (payload) => engine.evaluate(selection, payload, { direction: "response" });
}

function builtIn(slug: string): GuardDefinition {
  const guard = BUILT_IN_GUARDS.find((each) => each.slug === slug);
  assert.ok(guard);
  return guard;
}

function fires({ action }: Evaluation): boolean {
  return action !== undefined;
}

/** Whether one of the findings covers the part. */
function covers(evaluation: Evaluation, { text, part }: Sample): boolean {
  const start = text.indexOf(part);
  const findings = evaluation.results.flatMap((result) => result.findings);
  return findings.some((finding) => finding.start <= start && finding.end >= start + part.length);
}

interface Positive {
  readonly payload: Payload;
  isFound(evaluation: Evaluation): boolean;
}

/** A sample that is a JSON object becomes one, because its key is the context. */
function positive(sample: Sample): Positive {
  const [, key, value] = /^\{"(\w+)":"(.*)"\}$/s.exec(sample.text) ?? [];
  if (key === undefined || value === undefined) {
    return { payload: contentPayload(sample.text), isFound: (evaluation) => covers(evaluation, sample) };
  }
  return {
    payload: contentPayload({ [key]: value }),
    isFound: (evaluation) => covers(evaluation, { text: value, part: sample.part }),
  };
}

async function measure(
  context: TestContext,
  evaluate: Evaluate,
  positives: readonly Positive[],
  negatives: readonly Payload[],
  floors: Floors,
): Promise<void> {
  assert.ok(positives.length >= 300);
  const missed: Payload[] = [];
  const wrong: Payload[] = [];
  for (const { payload, isFound } of positives) if (!isFound(await evaluate(payload))) missed.push(payload);
  for (const payload of negatives) if (fires(await evaluate(payload))) wrong.push(payload);
  const found = positives.length - missed.length;
  const recall = found / positives.length;
  const precision = found / (found + wrong.length);
  context.diagnostic(
    `recall ${recall.toFixed(4)} of ${positives.length}, precision ${precision.toFixed(4)} with ${negatives.length} negatives`,
  );
  const examples = (payloads: readonly Payload[]) =>
    payloads.slice(0, 8).map(({ source, range }) => source.text(range).slice(0, 250));
  assert.ok(recall >= floors.recall, `recall ${recall} is below ${floors.recall}:\n${examples(missed).join("\n")}`);
  assert.ok(precision >= floors.precision, `precision ${precision} is too low:\n${examples(wrong).join("\n")}`);
}

const PII_FLOORS: Readonly<Record<string, Floors & { readonly genuine?: RegExp }>> = {
  // Documentation contains addresses of authors and of networks, which are no mistakes.
  email: { recall: 0.99, precision: 0.99, genuine: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/ },
  ip_address: {
    recall: 0.99,
    precision: 0.97,
    genuine: /\bIPv?[46]?\b|ipaddr|address|host|proxy|forwarded|loopback|fe80/i,
  },
  phone: { recall: 0.99, precision: 0.97 },
  credit_card: { recall: 0.99, precision: 0.98 },
  iban: { recall: 1, precision: 1 },
  us_ssn: { recall: 0.99, precision: 0.98 },
  uk_nino: { recall: 0.99, precision: 0.99 },
  mac_address: { recall: 0.99, precision: 0.99 },
  date_of_birth: { recall: 0.99, precision: 0.99 },
  passport: { recall: 0.99, precision: 0.99 },
  street_address: { recall: 0.95, precision: 0.97 },
  crypto_address: { recall: 0.99, precision: 0.99 },
};

/** Examples of keys and of URLs with passwords in documentation are no mistakes. */
const GENUINE_SECRET = /PRIVATE KEY-----|eyJ[\w-]+\.eyJ|:\/\/[^\s:/@]+:[^\s:/@]+@/;

describe("the corpus", () => {
  for (const [entity, { genuine, ...floors }] of Object.entries(PII_FLOORS)) {
    it(`finds ${entity} with recall ${floors.recall} and precision ${floors.precision}`, async (context) => {
      const check = validateCheck({ type: "pii", name: entity, config: { entities: [entity] } }, 0);
      const evaluate = evaluatorOf({ ...builtIn("email-addresses"), checks: [check] });
      const generate = PERSONAL_DATA[entity];
      assert.ok(generate);
      const random = new CorpusRandom(3);
      const positives = Array.from({ length: SAMPLES }, () => positive(generate(random)));
      const negatives = NEGATIVES.filter((text) => !genuine?.test(text)).map((text) => contentPayload(text));
      await measure(context, evaluate, positives, negatives, floors);
    });
  }

  for (const [name, slug, generate, floors] of [
    ["secrets with a provider's prefix", "secrets", providerSecret, { recall: 1, precision: 0.99 }],
    ["structured and named secrets", "secrets", structuredSecret, { recall: 0.99, precision: 0.99 }],
    ["private keys", "private-keys", privateKey, { recall: 1, precision: 0.99 }],
  ] as const) {
    it(`finds ${name} with recall ${floors.recall} and precision ${floors.precision}`, async (context) => {
      const random = new CorpusRandom(4);
      const count = Math.max(SAMPLES, PROVIDER_SECRETS.length * 12);
      const positives = Array.from({ length: count }, (_, at) => positive(generate(random, at)));
      const negatives = NEGATIVES.filter((text) => !GENUINE_SECRET.test(text)).map((text) => contentPayload(text));
      await measure(context, evaluatorOf(builtIn(slug)), positives, negatives, floors);
    });
  }

  for (const [slug, generate, floors] of [
    ["prompt-injection", injection, { recall: 0.97, precision: 0.97 }],
    ["hidden-unicode", hiddenText, { recall: 1, precision: 0.99 }],
    ["suspicious-downloads", download, { recall: 1, precision: 0.95 }],
  ] as const) {
    it(`finds ${slug} with recall ${floors.recall} and precision ${floors.precision}`, async (context) => {
      const random = new CorpusRandom(5);
      const positives = Array.from({ length: SAMPLES }, () => ({
        payload: contentPayload(generate(random)),
        isFound: fires,
      }));
      await measure(
        context,
        evaluatorOf(builtIn(slug)),
        positives,
        NEGATIVES.map((text) => contentPayload(text)),
        floors,
      );
    });
  }

  it("finds poisoned tools with recall 0.97 and precision 0.97", async (context) => {
    const random = new CorpusRandom(6);
    const others = { otherTools: new Set(["whatsapp__send_message", "send_message"]), changed: false };
    const definition = (description: string) =>
      toolPayload({ name: "add", description, inputSchema: { type: "object" } }, others);
    const positives = Array.from({ length: SAMPLES }, () => ({
      payload: definition(poisonedDescription(random, random.pick([...others.otherTools]))),
      isFound: fires,
    }));
    const floors = { recall: 0.97, precision: 0.97 };
    await measure(context, evaluatorOf(builtIn("tool-poisoning")), positives, NEGATIVES.map(definition), floors);
  });
});
