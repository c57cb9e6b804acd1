export { countValuesByKey, type SealedValues } from "./count-values.ts";
