/**
 * Where a consumer continues. A sequence alone names another message after the stream was deleted, or restored from an
 * older copy: so the position names the stream and the batch too.
 */
export interface Position {
  /** The sequence of the last message of the batch. */
  readonly sequence: number
  readonly batch: number
  /** The attempt by which the batch was stored: no other batch of any stream has it. */
  readonly attempt: string
  /** When the stream was created, as the server writes it. */
  readonly created: string
}

/** A position as text, which programs store. */
export const encodePosition = ({ sequence, batch, attempt, created }: Position): string =>
  `${sequence}.${batch}.${attempt}.${created}`

/** The position of a text; undefined for other text. */
export function decodePosition(text: string): Position | undefined {
  const [, sequence, batch, attempt, created] = /^(\d+)\.(\d+)\.([\w-]+)\.(\S+)$/.exec(text) ?? []
  if (attempt === undefined || created === undefined) return undefined
  return { sequence: Number(sequence), batch: Number(batch), attempt, created }
}
