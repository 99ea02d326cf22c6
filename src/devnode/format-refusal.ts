import type { RefusedScript } from './ledger/mempool/refusals.js'

const MAX_SHOWN = 80

/** A refused script in words, a line each: where it stopped and why, and the stack before it, the top last. */
export function formatRefusal({
  transactionId,
  input,
  script,
  position,
  opcode,
  reason,
  units,
  stack,
}: RefusedScript): string {
  const place =
    opcode === undefined ? 'at its end' : `at byte ${position ?? 0}, opcode 0x${opcode.toString(16).padStart(2, '0')}`
  return [
    `Script of input ${input} of ${transactionId} refused: ${reason}`,
    `  ${script} script, ${place}, after ${units} script units`,
    `  stack: ${stack.length === 0 ? 'empty' : stack.map(shown).join(' ')}`,
  ].join('\n')
}

function shown(item: string): string {
  if (item === '') return '(empty)'
  return item.length <= MAX_SHOWN ? item : `${item.slice(0, MAX_SHOWN)}… (${item.length / 2} bytes)`
}
