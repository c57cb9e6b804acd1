import { createHash } from "node:crypto";
import type { EntityType } from "#guards/definition";
import { contentPayload } from "#guards/payload";
import { Refusal } from "#lib/errors";
import type { MainDb } from "#storage/database";
import type { ContentGuards, ContentSelection, ContentVerdict } from "#sync/content-guards";

type Guards = Pick<ContentGuards, "select" | "evaluate">;
type Content = string | Readonly<Record<string, unknown>>;

/** Ends the transaction of a write whose content was not evaluated yet. */
export class UncheckedContent extends Error {
  readonly key: string;
  readonly selection: ContentSelection;
  readonly content: Content;

  constructor(key: string, selection: ContentSelection, content: Content) {
    super("The content was not evaluated");
    this.key = key;
    this.selection = selection;
    this.content = content;
  }
}

/**
 * Evaluates the content of one write with the build-time guards. Checks can call webhooks, so they run outside of the
 * transaction: the first attempt stops at content that was not evaluated, and the next one finds the verdict. If the
 * content or the guards have changed meanwhile, it stops again.
 */
export class ContentCheck {
  readonly #guards: Guards;
  readonly #verdicts = new Map<string, ContentVerdict>();

  constructor(guards: Guards) {
    this.#guards = guards;
  }

  /** Returns the warnings of guards, and throws a Refusal if one blocks the content. */
  async check(tx: MainDb, entityType: EntityType, content: Content): Promise<string[]> {
    const selection = await this.#guards.select(tx, entityType);
    if (selection === undefined) return [];
    const hash = createHash("sha256").update(JSON.stringify([entityType, content]));
    const key = hash.update(selection.key).digest("hex");
    const verdict = this.#verdicts.get(key);
    if (verdict === undefined) throw new UncheckedContent(key, selection, content);
    if (verdict.blocked) {
      const { guard_slug: slug, check } = verdict.blocked;
      throw new Refusal("guard-blocked", `content: blocked by guard ${slug} (${check})`);
    }
    return verdict.warnings.map(({ guard_slug: slug, check }) => `content: warning of guard ${slug} (${check})`);
  }

  async evaluate({ key, selection, content }: UncheckedContent): Promise<void> {
    this.#verdicts.set(key, await this.#guards.evaluate(selection, contentPayload(content)));
  }
}
