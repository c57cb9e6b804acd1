import type { Column } from "../../components/data-table.tsx";
import type { Toolkit } from "./toolkits.ts";

export const appliesColumn: Column<Toolkit> = {
  key: "applies",
  header: "Applies",
  width: "10rem",
  hideBelow: "md",
  render: ({ least_privilege: isDefault }) => (
    <span className="gh-dim">{isDefault ? "By default" : "When selected"}</span>
  ),
};
