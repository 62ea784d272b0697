import { eq } from "drizzle-orm";
import type { PersonalData } from "../../storage/personal-data.ts";
import { ERASED } from "../../storage/personal-words.ts";
import { personEntity } from "./people.queries.ts";
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
  async erase(tx, { personId }) {
    await tx.delete(formerLinks).where(eq(formerLinks.person_id, personId));
    await tx
      .update(people)
      .set({ ...nobody, erased_at: tx.now, updated_at: await personEntity.changeTime(tx) })
      .where(eq(people.id, personId));
    await tx.touchDependents("person", personId);
  },
};

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
