/** Counts the calls of one model, and tells whether it is left alone. */
export class CallTally {
  calls = 0
  failures = 0
  givenUp = 0
  isResting = false
}
