-- For wrk: POSTs the first argument after "--" each time; headers come by -H.
function init(args)
    wrk.method = "POST"
    wrk.body = args[1]
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Accept"] = "application/json, text/event-stream"
end

function response(status, headers, body)
    if status ~= 200 or body:find('"isError":true', 1, true) or not body:find('"result"', 1, true) then
        error("no result: " .. status .. " " .. body)
    end
end
