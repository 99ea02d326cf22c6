import { fromLosslessJson } from '../../model/lossless-json.js'
import { ChainError } from '../../errors/chain-error.js'
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedFrames,
  type Recording,
} from '../../engine/recorder/recording.js'

/** A recording with frames. */
export type ReplayableRecording = Recording & { readonly frames: RecordedFrames }

/**
 * Reads what `recorder.export({ frames: true })` wrote. Throws `ChainError` (`malformed`) for a recording that was cut
 * short or comes from a newer version, for one without frames, and for any other text.
 */
export function readRecording(text: string): ReplayableRecording {
  const value = parse(text)
  if (!isRecord(value) || value.format !== RECORDING_FORMAT) {
    throw invalid('This is no recording of vue-chain', 'Pass the text that recorder.export({ frames: true }) returned.')
  }
  if (typeof value.version !== 'number' || value.version > RECORDING_VERSION) {
    const library = typeof value.library === 'string' ? value.library : 'a newer one'
    throw invalid(
      `The recording has format ${String(value.version)}; this version reads up to ${RECORDING_VERSION}`,
      `Install vue-chain ${library} or later.`,
    )
  }
  if (!Array.isArray(value.engines) || !Array.isArray(value.records) || value.engines.length === 0) {
    throw invalid('The recording has no engine or no records', HINT)
  }
  const engine: unknown = value.engines[0]
  const record: unknown = value.records[0]
  if (!isRecord(engine) || (record !== undefined && !(isRecord(record) && isTime(record.at)))) {
    throw invalid('The options or the records of the recording are damaged', HINT)
  }
  if (!isRecord(value.frames)) {
    throw invalid('The recording has no frames', 'Record with captureFrames: true and export with { frames: true }.')
  }
  checkFrames(value.frames)
  return value as unknown as ReplayableRecording // every field that is used was checked
}

const HINT = 'Export it again, and store it whole.'

function parse(text: string): unknown {
  try {
    return fromLosslessJson(text)
  } catch (cause) {
    throw invalid('The recording is not JSON: it was cut short or damaged', HINT, cause)
  }
}

function checkFrames({ sockets, droppedSockets, randoms }: Record<string, unknown>): void {
  const isWhole =
    Array.isArray(randoms) &&
    randoms.every((random) => typeof random === 'number') &&
    Array.isArray(sockets) &&
    sockets.every((socket) => isRecord(socket) && Array.isArray(socket.events) && socket.events.every(isEvent))
  if (!isWhole) throw invalid('The frames of the recording are damaged', HINT)
  if (droppedSockets !== 0) {
    throw invalid(
      `The first ${String(droppedSockets)} sockets of the recording are missing`,
      'Raise maxFrameBytes of createRecorder, or record a shorter time.',
    )
  }
}

function isEvent(event: unknown): boolean {
  if (!Array.isArray(event)) return false
  const [at, type, third, data] = event as readonly unknown[]
  if (!isTime(at)) return false
  if (type === 'sent' || type === 'received')
    return typeof data === 'string' && (third === 'text' || (third === 'base64' && isBase64(data)))
  return type === 'opened' || type === 'ended' || (type === 'closed' && typeof third === 'number')
}

/** Ms. JSON has numbers such as 1e999, which are infinite: such a time would be played for ever. */
const isTime = (at: unknown): boolean => typeof at === 'number' && at >= 0 && at <= MAX_TIME

/** The latest time of `Date`. */
const MAX_TIME = 8.64e15

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[\da-z+/]*={0,2}$/i.test(text)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const invalid = (message: string, hint: string, cause?: unknown): ChainError<'malformed'> =>
  new ChainError(message, { code: 'malformed', hint, ...(cause === undefined ? {} : { cause }) })
