import { invalidArgument } from '../../errors/chain-error.js'
import { createRandom, type Random, type Timers } from '../machine.js'
import type { ActiveFault } from './active-fault.js'
import type { FaultSettings } from './fault.js'
import type { FaultName } from './kinds.js'

/** One fault of a schedule. */
export interface FaultStep {
  /** Milliseconds since the previous step. */
  readonly after: number
  readonly name: FaultName
  readonly settings: FaultSettings
}

/** A schedule in progress. */
export interface RandomFaults {
  readonly seed: number
  /** The steps begun so far. */
  readonly played: readonly FaultStep[]
  /** How many of those have taken effect at least once. */
  readonly triggered: number
  /** Begins no further steps; active faults end by their own time. Safe to call twice. */
  stop(): void
}

/**
 * The endless schedule of a seed: the same steps for the same `seed`, `rate` (faults a second, on average) and `kinds`,
 * on any machine. The default kinds are temporary and every client should survive them; `wrongNetwork`, `noUtxoIndex`,
 * `borshNotifications` and `failRest` must be named. A kind that is listed twice is twice as frequent. Throws
 * `ChainError` (`invalid-argument`) for a rate of 0 or less and for empty `kinds`.
 */
export function* faultSchedule(
  seed: number,
  rate: number,
  kinds: readonly FaultName[] = DEFAULT_KINDS,
): Generator<FaultStep, never> {
  if (!(rate > 0))
    throw invalidArgument('rate', 'The rate of faults must be above 0', 'Pass faults per second, for example 5.')
  if (kinds.length === 0)
    throw invalidArgument('kinds', 'There are no kinds to play', 'Omit `kinds` for the default kinds.')
  const random = createRandom(seed)
  for (;;) {
    const after = (-Math.log(1 - random()) / rate) * 1_000
    const name = kinds[Math.floor(random() * kinds.length)] ?? 'drop'
    yield { after, name, settings: RANDOM_SETTINGS[name](random) }
  }
}

/** Plays a schedule. */
export function playRandomFaults(
  seed: number,
  schedule: Iterator<FaultStep, never>,
  begin: (step: FaultStep) => Pick<ActiveFault, 'triggered'>,
  timers: Timers,
): RandomFaults {
  const played: FaultStep[] = []
  const begun: Pick<ActiveFault, 'triggered'>[] = []
  let cancel: () => void
  const playNext = () => {
    const step = schedule.next().value
    cancel = timers.after(step.after, () => {
      played.push(step)
      begun.push(begin(step))
      playNext()
    })
  }
  playNext()
  return {
    seed,
    played,
    get triggered() {
      return begun.filter(({ triggered }) => triggered > 0).length
    },
    stop: () => cancel(),
  }
}

/** Draws the settings of a kind. */
type SettingsGenerator = (random: Random) => FaultSettings

const integer = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[Math.floor(random() * items.length)] ?? items[0]

/** A one-time fault ends after this time (ms) if nothing triggers it. */
const MAX_WAIT = 1_000

/** Methods that faults target: any, and the one whose outcome matters most. */
const TARGET_METHODS: readonly [string, ...string[]] = ['', 'submitTransaction']

const shortTime: SettingsGenerator = (random) => ({ for: integer(random, 50, 300) })

/** The random settings of each kind. */
const RANDOM_SETTINGS: Readonly<Record<FaultName, SettingsGenerator>> = {
  drop: (random) => ({ how: pick(random, ['cut', 'reset', 'close']) }),
  refuse: (random) => ({
    how: pick(random, ['reset', 'status', 'close', 'hang']),
    for: integer(random, 10, 150),
  }),
  freeze: (random) => ({ handshakes: pick(random, ['wait', 'open']), for: integer(random, 10, 200) }),
  delay: (random) => ({
    ms: integer(random, 1, 20),
    jitter: integer(random, 0, 20),
    ...shortTime(random),
  }),
  throttle: (random) => ({
    bytesPerSecond: integer(random, 20_000, 200_000),
    above: 1_000,
    ...shortTime(random),
  }),
  dropReply: (random) => ({ method: pick(random, TARGET_METHODS), for: MAX_WAIT }),
  reorderReplies: (random) => ({ ms: integer(random, 5, 50), for: MAX_WAIT }),
  failCall: (random) => ({
    nth: integer(random, 1, 5),
    error: pick(random, ['text', 'text', 'timeout']),
    for: MAX_WAIT,
  }),
  corrupt: (random) => ({ how: pick(random, ['cut', 'garbage']), for: MAX_WAIT }),
  pad: (random) => ({ bytes: integer(random, 1, 1_000), ...shortTime(random) }),
  breakSubscribing: (random) => ({ after: integer(random, 0, 3), for: MAX_WAIT }),
  injectBlock: (random) => ({
    before: pick(random, ['reply', 'close']),
    method: pick(random, TARGET_METHODS),
    for: MAX_WAIT,
  }),
  duplicate: (random) => ({ of: pick(random, ['notification', 'reply', 'any']), ...shortTime(random) }),
  reorder: shortTime,
  borshNotifications: shortTime,
  stall: shortTime,
  notSynced: shortTime,
  noUtxoIndex: shortTime,
  wrongNetwork: shortTime,
  failRest: (random) => ({
    status: pick(random, [429, 500, 503]),
    body: pick(random, ['json', 'html', 'empty']),
    ...shortTime(random),
  }),
}

/**
 * The kinds played by default: temporary ones that every correct client survives. `drop` is listed twice because it is
 * the most frequent one.
 */
const DEFAULT_KINDS: readonly FaultName[] = [
  'drop',
  'drop',
  'refuse',
  'freeze',
  'delay',
  'throttle',
  'dropReply',
  'reorderReplies',
  'failCall',
  'corrupt',
  'pad',
  'breakSubscribing',
  'injectBlock',
  'duplicate',
  'reorder',
  'stall',
  'notSynced',
]
