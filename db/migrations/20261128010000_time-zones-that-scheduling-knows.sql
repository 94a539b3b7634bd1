-- Up Migration

-- Few rows, all named: names that were accepted though neither wall times nor Schedules know them (docs/decisions/0009). First those of the
-- IANA database in another case.
with known as (select name from pg_timezone_names)
update sites s set timezone = known.name, version = s.version + 1
from known where lower(known.name) = lower(s.timezone) and s.timezone not in (select name from known);

-- Then those that the database does not have. They become what the dashboard showed so far, but UTC where most people
-- mean another zone by the abbreviation.
with meant (name, zone) as (
  values
    ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
    ('ART', 'UTC'), ('AST', 'UTC'), ('BET', 'America/Sao_Paulo'), ('BST', 'UTC'), ('CAT', 'Africa/Maputo'),
    ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'), ('CTT', 'Asia/Shanghai'), ('EAT', 'Africa/Nairobi'),
    ('ECT', 'UTC'), ('IET', 'America/Indiana/Indianapolis'), ('IST', 'Asia/Kolkata'), ('JST', 'Asia/Tokyo'),
    ('MIT', 'UTC'), ('NET', 'Asia/Yerevan'), ('NST', 'UTC'), ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'),
    ('PRT', 'America/Puerto_Rico'), ('PST', 'America/Los_Angeles'), ('SST', 'UTC'), ('VST', 'Asia/Ho_Chi_Minh'),
    ('SystemV/AST4', 'America/Puerto_Rico'), ('SystemV/AST4ADT', 'America/Halifax'),
    ('SystemV/CST6', 'America/Regina'), ('SystemV/CST6CDT', 'America/Chicago'),
    ('SystemV/EST5', 'America/Panama'), ('SystemV/EST5EDT', 'America/New_York'),
    ('SystemV/HST10', 'Pacific/Honolulu'), ('SystemV/MST7', 'America/Phoenix'),
    ('SystemV/MST7MDT', 'America/Denver'), ('SystemV/PST8', 'Pacific/Pitcairn'),
    ('SystemV/PST8PDT', 'America/Los_Angeles'), ('SystemV/YST9', 'Pacific/Gambier'),
    ('SystemV/YST9YDT', 'America/Anchorage'), ('US/Pacific-New', 'America/Los_Angeles'),
    ('Canada/East-Saskatchewan', 'America/Regina')
)
update sites s set timezone = meant.zone, version = s.version + 1
from meant where lower(meant.name) = lower(s.timezone);
