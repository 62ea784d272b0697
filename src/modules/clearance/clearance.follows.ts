import { answer, type Follower } from "../../storage/occasions.ts";
import { findingsAbout } from "../flights/flights.occasions.ts";
import { findingsOf } from "./findings.ts";

export const clearanceFollows: readonly Follower[] = [answer(findingsAbout, findingsOf)];
