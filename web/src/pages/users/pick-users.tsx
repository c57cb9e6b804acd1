import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { type Pickable, PickMany, PickOne } from "../../components/pick.tsx";
import { asPickable, type User, type UserType, usersKey } from "./users.ts";

const MOST = 20;

interface PickUsersProps {
  readonly label: string;
  readonly description?: string;
  /** Undefined: users and machine users. */
  readonly type?: UserType;
  /** Omits the members of this group. */
  readonly excludeGroup?: string;
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  pickPasted?(text: string): readonly Pickable[];
  /** Defaults to the email as the value. */
  toPickable?(user: User): Pickable;
}

/** Picks several users, by name or email. */
export function PickUsers({ type, excludeGroup, toPickable = asPickable, ...rest }: PickUsersProps) {
  const [search, setSearch] = useState("");
  const { rows, isLoading } = useFoundUsers(search, type, excludeGroup);
  return (
    <PickMany
      {...rest}
      placeholder="Search by name or email"
      options={rows.map(toPickable)}
      isLoading={isLoading}
      search={search}
      onSearch={setSearch}
    />
  );
}

interface PickUserProps {
  readonly label: string;
  /** The email of the picked user. */
  readonly picked: string | undefined;
  onPick(email: string | undefined): void;
}

export function PickUser({ label, picked, onPick }: PickUserProps) {
  const [search, setSearch] = useState(picked ?? "");
  // The text of the picked user is not a search.
  const { rows, isLoading } = useFoundUsers(search === picked ? "" : search, undefined);
  return (
    <PickOne
      label={label}
      picked={picked === undefined ? undefined : { value: picked, label: picked }}
      onPick={(chosen) => onPick(chosen?.value)}
      placeholder="Search by name or email"
      options={rows.map(({ email, name }) => ({ value: email, label: email, description: name }))}
      isLoading={isLoading}
      search={search}
      onSearch={setSearch}
    />
  );
}

function useFoundUsers(search: string, type: UserType | undefined, excludeGroup?: string) {
  const api = useApi();
  return useSearchResults<User>([...usersKey, "found", type, excludeGroup], search, async (text, signal) => {
    const { data } = await api.listUsers({
      query: { search: text, type, exclude_group: excludeGroup, limit: MOST },
      signal,
    });
    return data;
  });
}
