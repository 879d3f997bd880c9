/** JSON as a parameter, for a column that is `jsonb` on PostgreSQL and text on SQLite. */
export class Json {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}
