import { Modal } from "@mantine/core";
import { KeyHint } from "../components/key-hint.tsx";
import "./shortcuts.css";

const SHORTCUTS: ReadonlyArray<readonly [keys: readonly string[], description: string]> = [
  [["mod", "K"], "Open the command palette"],
  [["/"], "Search the list on this page"],
  [["↓"], "Go to the next row (also j)"],
  [["↑"], "Go to the previous row (also k)"],
  [["Enter"], "Open the row"],
  [["x"], "Select the row"],
  [["Esc"], "Close the open panel or dialog"],
  [["?"], "Show keyboard shortcuts"],
];

export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <dl className="gh-shortcuts">
        {SHORTCUTS.map(([keys, description]) => (
          <div key={description}>
            <dt>{description}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
