import { SETTINGS } from "#records/settings";
import { type ConfigObject, dataOf, type Kind, pick } from "../kind.ts";

/** Single sign-on is not included: a wrong value would lock everyone out, including the author of the file. */
const FIELDS = ["name", ...Object.keys(SETTINGS)];
const NAME = "organization";

/** One object with all settings. */
export const settings: Kind = {
  name: "settings",
  key: "name",
  fields: FIELDS,
  async read({ invoke }) {
    return [pick({ ...dataOf(await invoke("getSettings")), name: NAME }, FIELDS)];
  },
  async create() {
    throw new Error("settings always exist");
  },
  async update({ invoke }, _before, changes) {
    await invoke("updateSettings", { body: withoutName(changes) });
  },
};

function withoutName({ name: _name, ...rest }: ConfigObject): object {
  return rest;
}
