/**
 * Which way imports run, as data. A room may import any floor beneath its own, and its own files; never a neighbour.
 * Read by the lint rule (eslint.config.js) and by test/contract/floors.test.ts, so that the plan stands once.
 */

/** The rooms by floor. The longest matching path decides: `sdk/port.ts` stands beneath `sdk/wasm/`. */
const FLOORS = [
  ['errors/'],
  ['model/', 'loading/'],
  ['node/', 'sdk/port.ts', 'wallets/port.ts', 'platform/port.ts'],
  ['streams/', 'operations/', 'rest/', 'wrpc/', 'sdk/wasm/', 'wallets/', 'platform/'],
  ['engine/', 'devnode/'],
  ['adapters/vue/', 'testing/'],
  ['adapters/nuxt/'],
]

/** Doors only re-export and stand outside the floors; no room imports through one. */
const DOORS = ['index.ts', 'streams/index.ts', 'testing/index.ts']

/** Outbuildings' extra paths: devnode shares the codec of the client it is the other side of. */
const PASSAGES = [['devnode/', 'wrpc/']]

/** Rooms whose files may name a package or a global. Everything else may not. */
const PACKAGES = [
  { package: /^(vue|@vueuse\/rxjs|@vue\/.*)$/, rooms: ['adapters/'] },
  { package: /^node:|^ws$/, rooms: ['devnode/', 'platform/node.ts', 'wrpc/socket.ts', 'adapters/nuxt/'] },
  { package: /^isomorphic-ws$/, rooms: ['platform/node.ts', 'wrpc/socket.ts'] },
]

const starts = (path, room) => (room.endsWith('/') ? path.startsWith(room) : path === room)

/** The room of a file (its path below src/) and that room's floor; undefined for doors. */
export function roomOf(path) {
  if (DOORS.includes(path)) return undefined
  const found = FLOORS.flatMap((rooms, floor) => rooms.map((room) => ({ room, floor }))).filter(({ room }) =>
    starts(path, room),
  )
  return found.sort((a, b) => b.room.length - a.room.length)[0]
}

/** Why a file (path below src/) may not import another one, in words; undefined where it may. */
export function forbiddenImport(from, to) {
  const source = roomOf(from)
  if (source === undefined) return undefined
  if (DOORS.includes(to)) return `${from} imports through the door ${to}; import the file that defines the name`
  const target = roomOf(to)
  if (target === undefined) return `${to} stands in no room of scripts/floors.mjs`
  if (target.room === source.room || target.floor < source.floor) {
    return from.startsWith('devnode/') && /^(streams|operations|rest|sdk|wallets|platform)\//.test(to)
      ? `devnode is an outbuilding: it must not import ${to}`
      : undefined
  }
  if (PASSAGES.some(([a, b]) => starts(from, a) && starts(to, b))) return undefined
  return `imports run downhill: ${source.room} (floor ${source.floor}) may not import ${target.room} (floor ${target.floor})`
}

/** Why a file may not import a package, in words; undefined where it may. */
export function forbiddenPackage(from, name) {
  const rule = PACKAGES.find((candidate) => candidate.package.test(name))
  if (rule === undefined || DOORS.includes(from) || rule.rooms.some((room) => starts(from, room))) return undefined
  return `${name} may be named only in ${rule.rooms.join(', ')}`
}
