import { createHash } from "node:crypto";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { compileStored } from "#guards/compile-stored";
import type { CheckDefinition, EntityType, GuardDefinition } from "#guards/definition";
import type { GuardEngine } from "#guards/engine";
import type { Evaluation, GuardResult } from "#guards/evaluation";
import { definitionOf } from "#guards/from-record";
import type { GuardSelection, GuardSet } from "#guards/guard-set";
import type { Payload } from "#guards/payload";
import type { Clock } from "#lib/clock";
import { enabledGuardsOfType, joinSecrets, openSecrets, type PublishedGuard } from "#records/guards";
import type { MainDb } from "#storage/database";
import type { Vault } from "#storage/vault";

export interface ContentGuardsNeeds {
  readonly engine: Pick<GuardEngine, "evaluate">;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Counts an evaluation of guards. */
  evaluated(guardIds: readonly string[], fired: readonly string[]): void;
}

/** The enabled build-time guards for one type of content. */
export interface ContentSelection {
  /** Differs if a guard is added, removed or changed. */
  readonly key: string;
  readonly guards: GuardSelection;
  readonly ids: ReadonlyMap<string, string>;
}

/** A guard that objects to content, and the check because of which it does. Contains nothing that was found. */
export interface Objection {
  readonly guard_slug: string;
  readonly guard_name: string;
  /** Name of the check, or why the content could not be examined. */
  readonly check: string;
}

export interface ContentVerdict {
  /** The guard that blocks the content. */
  readonly blocked: Objection | undefined;
  readonly warnings: readonly Objection[];
  /** False if a check failed: a later evaluation can lead to another verdict. */
  readonly isFinal: boolean;
  readonly evaluation: Evaluation;
}

/** Evaluates content with build-time guards: toolkits and others when they are activated, tools when they are synced. */
export class ContentGuards {
  readonly #needs: ContentGuardsNeeds;
  /** Compiling takes longer than most evaluations. */
  #last: { readonly key: string; readonly set: GuardSet } | undefined;

  #lastReview: { readonly key: string; readonly set: GuardSet } | undefined;

  constructor(needs: ContentGuardsNeeds) {
    this.#needs = needs;
  }

  /** Undefined if no guard is enabled for this type of content. */
  async select(db: MainDb, entityType: EntityType): Promise<ContentSelection | undefined> {
    const rows = await enabledGuardsOfType(db, "buildtime");
    const covering = rows.filter((row) => row.entity_types.includes(entityType));
    if (covering.length === 0) return undefined;
    const guards = this.#compiled(rows).selectBuildtime(entityType);
    if (guards === undefined) return undefined;
    // Key rotation seals the headers again, which changes nothing.
    const key = keyOf(covering.map((row) => ({ ...row, sealed_headers: null })));
    return { key, guards, ids: new Map(covering.map(({ id, slug }) => [slug, id])) };
  }

  /**
   * The guards that mark texts in a review: those that are enabled, without webhooks and models, and always the built-in
   * ones that find instructions to the model.
   */
  async selectForReview(db: MainDb, entityType: EntityType): Promise<GuardSelection | undefined> {
    const rows = await enabledGuardsOfType(db, "buildtime");
    const key = keyOf(rows);
    if (this.#lastReview?.key !== key) {
      const enabled = this.#definitions(rows).map((guard) => ({ ...guard, checks: guard.checks.filter(isLocal) }));
      const known = new Set(rows.map(({ builtin_key: builtIn }) => builtIn));
      const others = BUILT_IN_GUARDS.filter(({ slug }) => MARKING.includes(slug) && !known.has(slug));
      const usable = [...enabled.filter(({ checks }) => checks.length > 0), ...others];
      this.#lastReview = { key, set: compileStored(usable, this.#needs.clock) };
    }
    return this.#lastReview.set.selectBuildtime(entityType);
  }

  async evaluate({ guards, ids }: ContentSelection, payload: Payload): Promise<ContentVerdict> {
    const evaluation = await this.#needs.engine.evaluate(guards, payload, { direction: "request" });
    const objecting = evaluation.results.filter(({ passed }) => !passed);
    this.#needs.evaluated(
      guards.guards.flatMap(({ definition }) => ids.get(definition.slug) ?? []),
      objecting.flatMap(({ guard_slug: slug }) => ids.get(slug) ?? []),
    );
    return {
      blocked: evaluation.action === "block" ? blockedBy(evaluation) : undefined,
      warnings: objecting.filter(({ action }) => action === "warn").map(objectionOf),
      isFinal: evaluation.results.every(({ error }) => error === undefined),
      evaluation,
    };
  }

  #compiled(rows: readonly PublishedGuard[]): GuardSet {
    const key = keyOf(rows);
    if (this.#last?.key === key) return this.#last.set;
    const set = compileStored(this.#definitions(rows), this.#needs.clock);
    this.#last = { key, set };
    return set;
  }

  #definitions(rows: readonly PublishedGuard[]): GuardDefinition[] {
    const { vault } = this.#needs;
    return rows.map((row) => definitionOf({ ...row, checks: joinSecrets(row.checks, openSecrets(vault, row)) }));
  }
}

function blockedBy({ guard, results, refused }: Evaluation): Objection {
  const result = results.find(({ guard_slug: slug }) => slug === guard?.slug);
  if (result) return objectionOf(result);
  return { guard_slug: guard?.slug ?? "", guard_name: guard?.name ?? "", check: refused ?? "failed" };
}

function objectionOf({ guard_slug, guard_name, findings, error }: GuardResult): Objection {
  return { guard_slug, guard_name, check: findings[0]?.check_name ?? error ?? "failed" };
}

/** Built-in guards that find instructions to the model. */
const MARKING = ["tool-poisoning", "prompt-injection-in-content", "hidden-unicode"];

function isLocal({ type }: CheckDefinition): boolean {
  return type !== "webhook" && type !== "llm";
}

function keyOf(rows: readonly PublishedGuard[]): string {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
