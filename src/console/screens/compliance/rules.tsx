/** What the school sets itself: what is required of whom, what a rule of the clearance does, and its own types of records. */
import { Actions } from "./actions.tsx";
import { Head } from "./head.tsx";
import { RecordTypes } from "./record-types.tsx";
import { Requirements } from "./requirements.tsx";
import { complianceText } from "./words.ts";

export default function Rules() {
  return (
    <>
      <Head hint={complianceText().rulesHint} />
      <Requirements />
      <Actions />
      <RecordTypes />
    </>
  );
}
