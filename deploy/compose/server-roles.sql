-- The roles of the servers beside the product, with passwords from the environment. Run at each start, by the superuser.
\set ON_ERROR_STOP on
\getenv temporal TEMPORAL_PASSWORD
\getenv backup BACKUP_PASSWORD
\getenv monitoring MONITORING_PASSWORD

select format('create role %I', name) from unnest('{temporal,backup,monitoring}'::text[]) name
where not exists (select from pg_roles where rolname = name) \gexec

-- 15 connections for each of its four services.
alter role temporal login password :'temporal' connection limit 60;
alter role backup login replication password :'backup' connection limit 5;
alter role monitoring login password :'monitoring' connection limit 5;
grant pg_monitor to monitoring;

select format('create database %I owner temporal', name) from unnest('{temporal,temporal_visibility}'::text[]) name
where not exists (select from pg_database where datname = name) \gexec

-- Who may connect to which database: by default everybody may to each.
revoke connect on database temporal, temporal_visibility, :"DBNAME" from public;
grant connect on database temporal, temporal_visibility, :"DBNAME" to monitoring;
grant connect on database :"DBNAME" to presswork_application, presswork_support;

-- A Temporal that ran as the superuser before.
select format('alter database %I owner to temporal', datname) from pg_database
where datname in ('temporal', 'temporal_visibility') and pg_get_userbyid(datdba) <> 'temporal' \gexec
\set foreign 'select format(\'alter table %s owner to temporal\', oid::regclass) from pg_class c where relnamespace = \'public\'::regnamespace and relkind in (\'r\', \'p\', \'S\') and pg_get_userbyid(relowner) <> \'temporal\' and not exists (select from pg_depend d where d.classid = \'pg_class\'::regclass and d.objid = c.oid and d.deptype in (\'a\', \'i\', \'e\'))'
\connect temporal
:foreign \gexec
\connect temporal_visibility
:foreign \gexec
