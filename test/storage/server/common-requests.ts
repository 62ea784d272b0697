import type { Answer } from "../../support/installation.ts";
import { expectStatus, password, type School } from "../../support/school.ts";

interface CommonRequest {
  name: string;
  send(): Promise<Answer>;
}

/** The ten requests that a school makes most, each in the state that it needs: a day at the desk, and a program that reads. */
export async function* commonRequests(school: School): AsyncGenerator<CommonRequest> {
  const { installation, owner, student, instructor, aircraftId, flightBody } = school;
  const key = await school.apiKey("public.flights:read");
  await school.submitFlight(student);
  yield {
    name: "sign in",
    send: () => installation.call("POST", "/auth/login", { body: { email: student.email, password } }),
  };
  yield { name: "me", send: () => student.call("GET", "/auth/me") };
  yield { name: "flights", send: () => student.get("/flights") };
  yield { name: "aircraft", send: () => owner.get(`/aircraft/${aircraftId}`) };
  yield { name: "people", send: () => owner.get("/people") };

  yield { name: "draft a flight", send: () => student.post("/flights", flightBody()) };
  const { id } = await school.draftFlight(student);
  yield { name: "change a flight", send: () => student.patch(`/flights/${id}`, { remarks: "A fine day." }) };
  yield { name: "submit a flight", send: () => student.post(`/flights/${id}/submit`) };
  yield { name: "approve a flight", send: () => instructor.post(`/flights/${id}/approve`) };

  expectStatus(200, await school.publicGet("/flights", key));
  yield { name: "flights, by a program", send: () => school.publicGet("/flights", key) };
}
