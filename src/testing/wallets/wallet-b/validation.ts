/** A validation issue in the format of zod, which Kastle uses. */
interface Issue {
  readonly code: string
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly [detail: string]: unknown
}

/** The issues of a payment's arguments. */
export const paymentIssues = (to: unknown, sompi: unknown, options: unknown): Issue[] => [
  ...textIssues(to, ['toAddress'], 'toAddress cannot be empty'),
  ...amountIssues(sompi, ['sompi'], 20_000_000, 'sompi must be greater than 0.2 KAS'),
  ...optionIssues(options),
]

export const textIssues = (value: unknown, path: Issue['path'], message: string): Issue[] => {
  if (typeof value !== 'string') return [wrongType('string', value, path)]
  if (value !== '') return []
  return [{ code: 'too_small', minimum: 1, type: 'string', inclusive: true, exact: false, message, path }]
}

/** Throws an `Error` named `ZodError` with the issues as its message and as a property; nothing if there are none. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw Object.assign(new Error(JSON.stringify(issues, null, 2)), { name: 'ZodError', issues })
}

function optionIssues(options: unknown): Issue[] {
  if (options === undefined) return []
  if (typeof options !== 'object' || options === null) return [wrongType('object', options, ['options'])]
  const { priorityFee = 0, payload = '' } = options as { priorityFee?: unknown; payload?: unknown }
  const path = ['options', 'priorityFee']
  const fee = amountIssues(priorityFee, path, 0, 'priorityFee must be greater than or equal to 0')
  return [...fee, ...payloadIssues(payload)]
}

function amountIssues(value: unknown, path: Issue['path'], minimum: number, message: string): Issue[] {
  if (typeof value !== 'number') return [wrongType('number', value, path)]
  if (value >= minimum) return []
  return [{ code: 'too_small', minimum, type: 'number', inclusive: true, exact: false, message, path }]
}

function payloadIssues(payload: unknown): Issue[] {
  const path = ['options', 'payload']
  if (typeof payload !== 'string') return [wrongType('string', payload, path)]
  if (/^([0-9a-f]{2})*$/i.test(payload)) return []
  return [{ code: 'custom', message: 'payload must be a valid hex string (even length, 0-9 a-f only)', path }]
}

function wrongType(expected: string, value: unknown, path: Issue['path']): Issue {
  const received = value === null ? 'null' : typeof value
  return { code: 'invalid_type', expected, received, path, message: `Expected ${expected}, received ${received}` }
}
