/** What programs have attached to `transfer` and `balance` cannot be moved, and must not be dropped silently. */
export const refuseDependents = (s: string): string => {
  const both = `('${s}.transfer'::regclass, '${s}.balance'::regclass)`
  return `do $$ declare found text; begin
    select string_agg(distinct name, ', ') into found from (
      select 'trigger ' || tgname as name from pg_trigger
        where tgrelid in ${both} and not tgisinternal and tgname not in ('on_transfer_stored', 'on_transfer_undone')
      union all select 'publication ' || p.pubname from pg_publication_rel as r join pg_publication as p on p.oid = r.prpubid
        where r.prrelid in ${both}
      union all select 'view ' || w.ev_class::regclass from pg_depend as d join pg_rewrite as w on w.oid = d.objid
        where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid in ${both}
      union all select 'constraint ' || conname from pg_constraint where confrelid in ${both} and contype = 'f'
    ) as others;
    if found is not null then
      raise exception 'The tables transfer and balance become views: drop % first, and create it again afterwards', found;
    end if;
  end $$`
}

/** Who could read the tables can read the views. */
export const copiedGrants = (s: string): readonly string[] =>
  (
    [
      ['transfer_wide', ['transfer', 'address']],
      ['balance_wide', ['balance', 'address']],
    ] as const
  ).map(
    ([from, to]) => `do $$ declare reader text; begin
    for reader in
      select distinct case x.grantee when 0 then 'public' else x.grantee::regrole::text end
        from pg_class as c, aclexplode(c.relacl) as x
        where c.oid = '${s}.${from}'::regclass and x.privilege_type = 'SELECT' and x.grantee <> c.relowner
    loop
      execute 'grant select on ${to.map((name) => `${s}.${name}`).join(', ')} to ' || reader;
    end loop;
  end $$`,
  )

/** The documented indexes that are an option, where they are. */
export const copiedIndexes = (s: string): readonly string[] =>
  Object.entries({
    transfer_sequence: '(sequence)',
    transfer_transaction: `(${s}.hash_text(coalesce(nullif(transaction_id, ''), outpoint_transaction_id)))`,
    transfer_accepted: '(accepted_at)',
  }).map(
    ([name, columns]) => `do $$ begin
    if to_regclass('${s}.${name}') is not null then
      drop index ${s}.${name};
      create index ${name} on ${s}.transfer_row ${columns};
    end if;
  end $$`,
  )
