import { eq, inArray, or } from "drizzle-orm";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import { mails } from "./mails.tables.ts";

const isAbout = ({ personId, userIds }: DataSubject) =>
  or(eq(mails.person_id, personId), inArray(mails.user_id, [...userIds]));

export const mailsPersonal: PersonalData = {
  lists: {
    async *mails_to_send(tenant, subject) {
      yield* await tenant.read((reader) => reader.select().from(mails).where(isAbout(subject)).orderBy(mails.id));
    },
  },
  async erase(tx, subject) {
    await tx.delete(mails).where(isAbout(subject));
  },
};
