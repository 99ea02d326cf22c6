// JSON with bigints: 5n is stored as "5n".

export const stringify = (value) =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}n` : field), 1)

export const parse = (text) =>
  JSON.parse(text, (_, field) =>
    typeof field === 'string' && /^-?\d+n$/.test(field) ? BigInt(field.slice(0, -1)) : field,
  )
