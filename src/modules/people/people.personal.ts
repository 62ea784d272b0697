import { eq, inArray, or } from "drizzle-orm";
import { forgetAccounts } from "../../storage/account-names.ts";
import { announce } from "../../storage/occasions.ts";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { ERASED } from "../../storage/personal-words.ts";
import { keepWords } from "../../storage/search-words.ts";
import type { Tx } from "../../storage/store.ts";
import { personRenamed } from "./people.occasions.ts";
import { personEntity, personWords } from "./people.queries.ts";
import { formerLinks, people } from "./people.tables.ts";

/** The row of an erased person stays, without what identifies them: flights and records refer to it. */
export const peoplePersonal: PersonalData = {
  lists: {
    async *former_links(tenant, { personId }) {
      yield* await tenant.read((reader) =>
        reader
          .select({ user_id: formerLinks.user_id, email: formerLinks.email, until: formerLinks.until })
          .from(formerLinks)
          .where(eq(formerLinks.person_id, personId))
          .orderBy(formerLinks.until),
      );
    },
  },
  async erase(tx, subject) {
    const { personId } = subject;
    await eraseAsContact(tx, subject);
    await forgetAccounts(tx, subject);
    await tx.delete(formerLinks).where(eq(formerLinks.person_id, personId));
    await tx
      .update(people)
      .set({ ...nobody, erased_at: tx.now, updated_at: await personEntity.changeTime(tx) })
      .where(eq(people.id, personId));
    await keepWords(tx, personWords, [personId]);
    await announce(tx, personRenamed, { id: personId });
  },
};

/** The person as somebody else's contact in an emergency, whom the number reaches. */
async function eraseAsContact(tx: Tx<"tenant">, subject: DataSubject): Promise<void> {
  const { emergency_phone, phone } = people;
  const number = tx.select({ phone }).from(people).where(eq(people.id, subject.personId));
  const isNamed = await eraseFromTexts(tx, people, ["emergency_name", "emergency_relation"], subject, {
    cleared: ["emergency_phone"],
  });
  await tx
    .update(people)
    .set({ emergency_phone: null, updated_at: await personEntity.changeTime(tx) })
    .where(or(isNamed, inArray(emergency_phone, number)));
}

const nobody = {
  name: ERASED,
  status: "archived",
  email: null,
  phone: null,
  street: null,
  postcode: null,
  city: null,
  country: null,
  emergency_name: null,
  emergency_phone: null,
  emergency_relation: null,
  date_of_birth: null,
  licence_number: null,
  licence_authority: null,
  ratings: [],
  user_id: null,
  linked_by: null,
  restricted_instructor: false,
  supervisor_id: null,
} as const satisfies Partial<typeof people.$inferInsert>;
