import { Modal } from "@mantine/core";
import { KeyHint } from "../components/key-hint.tsx";
import "./shortcuts.css";

const SHORTCUTS: ReadonlyArray<readonly [keys: readonly string[], does: string]> = [
  [["mod", "K"], "Search pages, servers, tools, people, groups and actions"],
  [["/"], "Search in the list on this page"],
  [["↓"], "Next row of a list (or j)"],
  [["↑"], "Previous row of a list (or k)"],
  [["Enter"], "Open the row"],
  [["x"], "Select the row, where many can be changed at once"],
  [["Esc"], "Close what is open"],
  [["?"], "Show this list"],
];

export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <dl className="gh-shortcuts">
        {SHORTCUTS.map(([keys, does]) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
