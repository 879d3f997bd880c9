/** Counts the calls of one model. */
export class CallTally {
  calls = 0
  failures = 0
  givenUp = 0
}
