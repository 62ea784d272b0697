import { text } from "../../app/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { ReportFields, useReport } from "./report-fields.tsx";

export function ReportDialog({ aircraftId, onClose }: { aircraftId: string; onClose: () => void }) {
  const { aircraft: words } = text();
  const report = useReport();
  const send = async () => {
    await report.send(aircraftId);
    onClose();
  };
  return (
    <Dialog title={words.reportTitle} onClose={onClose}>
      <Form onSubmit={send}>
        <ReportFields report={report} autoFocus />
        <div class="form-actions">
          <Submit>{words.reportSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
