/** The operator's page: what needs somebody now, and what runs well. It shows counts and files, no records of a school. */
import { changedAccount } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Backups } from "./backups.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Findings } from "./findings.tsx";
import { Jobs } from "./jobs.tsx";
import { Schools } from "./schools.tsx";
import { Mails, Server } from "./server.tsx";
import { installationText } from "./words.ts";

export default function Installation() {
  const words = installationText();
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Button onClick={() => changedAccount("/installation")}>{words.refresh}</Button>
        </div>
      </div>
      <Findings />
      <div class="columns">
        <Backups />
        <Server />
      </div>
      <Schools />
      <div class="columns">
        <Jobs />
        <div>
          <Deliveries />
          <Mails />
        </div>
      </div>
    </>
  );
}
