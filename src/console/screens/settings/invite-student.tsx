/** Invites a student of the school's records: the account that joins is linked to the person. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { InviteLink } from "./invite-link.tsx";

export interface Student {
  id: string;
  name: string;
  email: string | null;
}

interface InviteStudentProps {
  /** On the page of a person; without one, it is chosen. */
  of?: Student;
  onClose: () => void;
}

export function InviteStudent({ of: known, onClose }: InviteStudentProps) {
  const { settings: words } = text();
  const students = useResource(known ? undefined : "GET /orgs/{orgId}/people", {
    query: { limit: 200, type: "student", status: "active" },
  });
  const link = useSignal<{ token: string; email: string } | undefined>(undefined);
  const show = (made: { token: string; email: string }) => {
    link.value = made;
  };
  if (link.value) return <InviteLink path="/app/student-invites" {...link.value} onClose={onClose} />;
  return (
    <Dialog title={words.inviteStudent} onClose={onClose}>
      {known ? (
        <StudentForm isKnown students={[known]} onLink={show} onClose={onClose} />
      ) : (
        <Loaded resource={students} lines={3}>
          {({ data }) => {
            const without = data.filter(({ user_id }) => user_id === null);
            if (without.length === 0) return <p>{words.noStudents}</p>;
            return <StudentForm students={without} onLink={show} onClose={onClose} />;
          }}
        </Loaded>
      )}
    </Dialog>
  );
}

interface StudentFormProps {
  students: readonly Student[];
  /** There is only one, on whose page it is. */
  isKnown?: boolean;
  onLink: (link: { token: string; email: string }) => void;
  onClose: () => void;
}

function StudentForm({ students, isKnown = false, onLink, onClose }: StudentFormProps) {
  const { settings: words, people } = text();
  const person = useSignal(students[0]?.id ?? "");
  const chosen = students.find(({ id }) => id === person.value);
  const email = useSignal("");
  const invite = async () => {
    const { data } = await call("POST /orgs/{orgId}/student-invites", {
      body: { person_id: person.value, ...(email.value !== "" && { email: email.value }) },
    });
    await changed("/student-invites");
    if (!data.mailed) return onLink({ token: data.token, email: data.email });
    toast(words.invited(data.email));
    onClose();
  };
  return (
    <Form onSubmit={invite}>
      {isKnown ? (
        <p>{chosen?.name}</p>
      ) : (
        <SelectField
          name="person_id"
          label={words.student}
          value={person}
          options={students.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField
        name="email"
        label={people.email}
        hint={chosen?.email ? words.otherwise(chosen.email) : words.noAddress}
        value={email}
        type="email"
        required={!chosen?.email}
        autoFocus={isKnown}
      />
      <div class="form-actions">
        <Submit busyText={words.inviting}>{words.invite}</Submit>
      </div>
    </Form>
  );
}
