import type { Random } from '../random.js'
import type { FaultSettings } from './fault.js'
import type { FaultName } from './kinds.js'

/** The settings with which a kind is played. */
type Dish = (random: Random) => FaultSettings

const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

const oneOf = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[Math.floor(random() * items.length)] ?? items[0]

/** A one-time fault that finds nothing to strike is not kept for longer than this. */
const WAIT = 1_000

/** Calls that faults single out: any, and the one whose fate matters most. */
const METHODS: readonly [string, ...string[]] = ['', 'submitTransaction']

const AWHILE: Dish = (random) => ({ for: whole(random, 50, 300) })

/** How each kind is played where chance decides: the range of its settings. */
export const MENU: Readonly<Record<FaultName, Dish>> = {
  drop: (random) => ({ how: oneOf(random, ['cut', 'reset', 'close']) }),
  refuse: (random) => ({ how: oneOf(random, ['reset', 'status', 'close', 'silence']), for: whole(random, 10, 150) }),
  freeze: (random) => ({ arrivals: oneOf(random, ['wait', 'open']), for: whole(random, 10, 200) }),
  delay: (random) => ({ ms: whole(random, 1, 20), jitter: whole(random, 0, 20), ...AWHILE(random) }),
  drip: (random) => ({ bytesPerSecond: whole(random, 20_000, 200_000), above: 1_000, ...AWHILE(random) }),
  loseReply: (random) => ({ method: oneOf(random, METHODS), for: WAIT }),
  overtake: (random) => ({ ms: whole(random, 5, 50), for: WAIT }),
  failCall: (random) => ({ nth: whole(random, 1, 5), error: oneOf(random, ['text', 'text', 'timeout']), for: WAIT }),
  malform: (random) => ({ how: oneOf(random, ['cut', 'garbage']), for: WAIT }),
  pad: (random) => ({ bytes: whole(random, 1, 1_000), ...AWHILE(random) }),
  breakSubscribing: (random) => ({ after: whole(random, 0, 3), for: WAIT }),
  interject: (random) => ({
    before: oneOf(random, ['answer', 'close']),
    method: oneOf(random, METHODS),
    for: WAIT,
  }),
  duplicate: (random) => ({ of: oneOf(random, ['notification', 'answer', 'any']), ...AWHILE(random) }),
  reorder: AWHILE,
  borshNotifications: AWHILE,
  stuck: AWHILE,
  notSynced: AWHILE,
  noUtxoIndex: AWHILE,
  wrongNetwork: AWHILE,
  failRest: (random) => ({
    status: oneOf(random, [429, 500, 503]),
    body: oneOf(random, ['json', 'html', 'empty']),
    ...AWHILE(random),
  }),
}

/**
 * What is played where nothing else is asked for: what passes and leaves any client that knows the protocol whole. Drops
 * stand twice: they are what happens most.
 */
export const USUAL: readonly FaultName[] = [
  'drop',
  'drop',
  'refuse',
  'freeze',
  'delay',
  'drip',
  'loseReply',
  'overtake',
  'failCall',
  'malform',
  'pad',
  'breakSubscribing',
  'interject',
  'duplicate',
  'reorder',
  'stuck',
  'notSynced',
]
