import { Modal, type ModalProps } from "@mantine/core";
import { createContext, use, useEffect, useState } from "react";

const ReportWork = createContext<(isWorking: boolean) => void>(ignore);

/** Keeps the dialog around this component open while a request runs. `DialogActions` calls it. */
export function useDialogWork(isWorking: boolean): void {
  const report = use(ReportWork);
  useEffect(() => {
    report(isWorking);
    return () => report(false);
  }, [report, isWorking]);
}

/** A dialog that stays open while its request runs: it shows the error, or the secret that is shown only once. */
export function FormDialog({ onClose, children, ...rest }: ModalProps) {
  const [isWorking, setWorking] = useState(false);
  return (
    <Modal
      {...rest}
      onClose={isWorking ? ignore : onClose}
      closeButtonProps={{ "aria-label": "Close", disabled: isWorking }}
    >
      <ReportWork value={setWorking}>{children}</ReportWork>
    </Modal>
  );
}

function ignore(): void {
  // The dialog stays as it is.
}
