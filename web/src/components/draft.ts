import { useState } from "react";

interface State<Value> {
  readonly value: Value;
  /** The saved value that the edit started from. */
  readonly before: Value;
  /** The saved value that was followed last. */
  readonly followed: Value;
  /** True until the record arrives as the service stored it, which can differ from what was sent. */
  readonly isSent: boolean;
}

export interface Draft<Value> {
  readonly value: Value;
  readonly isEdited: boolean;
  /** Whether the saved value changed elsewhere since the edit started. */
  readonly isOutdated: boolean;
  set(value: Value): void;
  /** Shows the saved value. */
  discard(): void;
  /** After this value was saved. Later edits are kept. */
  finish(sent: Value): void;
}

/** A saved value that the user edits. Without an edit, it follows changes that are made elsewhere. */
export function useDraft<Value>(saved: Value, isSaving: boolean): Draft<Value> {
  const [state, setState] = useState(() => startFrom(saved));
  // The own change can arrive before the save is finished.
  const isNew = !isSaving && !isSame(state.followed, saved);
  const current = isNew ? follow(state, saved) : state;
  if (isNew) setState(current);
  const { value, before } = current;
  const isEdited = !isSame(value, before);
  return {
    value,
    isEdited,
    isOutdated: isEdited && !isSaving && !current.isSent && !isSame(before, current.followed),
    set: (next) => setState((old) => ({ ...old, value: next })),
    discard: () => setState(startFrom(saved)),
    finish: (sent) => setState((old) => ({ ...old, before: sent, isSent: true })),
  };
}

function startFrom<Value>(saved: Value): State<Value> {
  return { value: saved, before: saved, followed: saved, isSent: false };
}

function follow<Value>({ value, before, isSent }: State<Value>, saved: Value): State<Value> {
  const isEdited = !isSame(value, before) && !isSame(value, saved);
  return isEdited ? { value, before: isSent ? saved : before, followed: saved, isSent: false } : startFrom(saved);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
