-- Charges for `wrk`: every request has a key of its own. Arguments after `--`: the token, and a text that makes the keys
-- of this run different from those of others. The counts are printed as ask.lua prints them.
local here = debug.getinfo(1, "S").source:match("^@(.*)/[^/]*$") or "."
dofile(here .. "/ask.lua")

local body = '{"scope":"load","steps":[{"mechanism":"gaussian","noise_multiplier":1000}]}'

function init(args)
  token, run = args[1], args[2]
  made = 0
  statuses = ""
  counts = {}
end

function request()
  made = made + 1
  return wrk.format("POST", "/v1/ledger/charge", {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. token,
    ["Idempotency-Key"] = run .. "-" .. number .. "-" .. made,
  }, body)
end
