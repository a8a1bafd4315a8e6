-- Questions for `wrk`: a fixed list in random order, each to /v1/ask. Arguments after `--`: the file with one question
-- a line. Prints what was answered other than 200, by status.
local questions = {}
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

function init(args)
  for line in io.lines(args[1]) do table.insert(questions, line) end
  math.randomseed(number)
  statuses = ""
  counts = {}
end

function request()
  return wrk.format("POST", "/v1/ask", {["Content-Type"] = "application/json"}, questions[math.random(#questions)])
end

-- Only totals by status leave a thread, as a text.
function response(status)
  counts[status] = (counts[status] or 0) + 1
  if counts[status] == 1 then statuses = statuses .. status .. " " end
  _G["status_" .. status] = counts[status]
end

function done(summary, latency)
  local total = {}
  for _, thread in ipairs(threads) do
    for status in string.gmatch(thread:get("statuses"), "%d+") do
      total[status] = (total[status] or 0) + thread:get("status_" .. status)
    end
  end
  for status, count in pairs(total) do io.write(string.format("RESULT status %s %d\n", status, count)) end
  for _, failure in ipairs({"connect", "read", "write", "timeout"}) do
    io.write(string.format("RESULT failed %s %d\n", failure, summary.errors[failure]))
  end
  for _, share in ipairs({50, 90, 99, 99.9}) do
    io.write(string.format("RESULT latency %s %d\n", share, latency:percentile(share)))
  end
  io.write(string.format("RESULT latency 100 %d\n", latency.max))
  io.write(string.format("RESULT requests %d %d\n", summary.requests, summary.duration))
end
