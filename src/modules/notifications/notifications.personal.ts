import { inArray } from "drizzle-orm";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import { notificationPreferences } from "./notifications.tables.ts";

const isTheirs = ({ userIds }: DataSubject) => inArray(notificationPreferences.user_id, [...userIds]);

export const notificationsPersonal: PersonalData = {
  lists: {
    async *notification_preferences(tenant, subject) {
      yield* await tenant.read((reader) => reader.select().from(notificationPreferences).where(isTheirs(subject)));
    },
  },
  async erase(tx, subject) {
    await tx.delete(notificationPreferences).where(isTheirs(subject));
  },
};
