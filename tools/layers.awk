# The dependency rules of ARCHITECTURE.md. This program reads C++ files, reports each include that is not allowed and
# each mechanism's type where none may be named, and exits with 1 if there was one. A room is the directory (module)
# that a file belongs to: include/renyi, src/<name>, src itself, catalogue, certify, certify/ball, certificate, digest, ledger, noise, release, simd,
# api/json, api, capi, apps/cli/<name>, apps/server, apps/http_client, apps, python. An arrow from one room to another means that the first may include the second.

BEGIN {
  # directory        the directories that it may include, besides itself and include/renyi
  arrows["include/renyi"] = ""
  arrows["src"]           = ""
  arrows["simd"]          = ""
  arrows["src/numerics"]  = "simd"
  arrows["src/names"]     = ""
  arrows["src/json"]      = "src/names"
  arrows["src/divergence"] = "src/numerics"
  arrows["src/mechanism"] = "src/divergence src/numerics src/names simd catalogue"
  arrows["src/sampling"]  = "src/mechanism src/divergence src/numerics"
  arrows["src/plan"]      = "src/sampling src/mechanism src/numerics src/json"
  arrows["src/run"]       = "src/plan src/sampling src/mechanism"
  arrows["src/convert"]   = "src/plan src/sampling src/mechanism src/numerics src/json"
  arrows["src/loss"]      = "src/plan src/sampling src/mechanism src/numerics"
  arrows["src/conversion"]   = "src/plan src/sampling src/mechanism src/numerics"
  arrows["src/exact"]     = "src/loss src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/cost"]      = "src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/accountant"] = "src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/calibrate"] = "src/run src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/matrix_design"] = "src/calibrate src/run src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/explain"]   = "src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/accuracy"]  = "src/plan src/sampling src/mechanism src/numerics"
  arrows["src/compare"]   = "src/calibrate src/run src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/relate"]    = "src/conversion src/plan src/sampling src/mechanism src/numerics"
  arrows["src/filter"]    = "src/relate src/calibrate src/run src/cost src/exact src/conversion src/plan src/sampling src/mechanism src/numerics src/json simd"
  arrows["certify"]       = "certify/ball catalogue"
  arrows["certify/ball"]  = ""
  arrows["noise"]         = "certify/ball simd"
  arrows["catalogue"]     = ""
  arrows["digest"]        = ""
  arrows["certificate"]   = "certify digest src/json"
  arrows["ledger"]        = "digest src/filter src/plan src/json src/numerics src/names"
  arrows["release"]       = "digest ledger src/json src/names"
  arrows["api"]           = "catalogue"
  arrows["api/json"]      = "api src/names src/json src/plan src/convert src/filter"
  arrows["capi"]          = "api"
  arrows["apps"]          = "api apps/cli/commands apps/cli/flags apps/cli/io"
  arrows["apps/server"]       = "api digest"
  arrows["apps/cli/io"]       = "api"
  arrows["apps/cli/flags"]    = "api apps/cli/io"
  arrows["apps/cli/views"]    = "api apps/cli/flags apps/cli/io"
  arrows["apps/cli/plot"]     = "api apps/cli/views apps/cli/flags apps/cli/io"
  arrows["apps/cli/sweep"]    = "api apps/cli/io"
  arrows["apps/http_client"]  = ""
  arrows["apps/cli/commands"] = "api apps/server apps/http_client apps/cli/plot apps/cli/sweep apps/cli/views apps/cli/flags apps/cli/io"
  arrows["python"]        = "api apps"

  # directory        the public headers that it implements; including one of them counts as including that directory
  implements("src",            "error")
  implements("src/numerics",   "interval limits")
  implements("src/divergence", "divergence")
  implements("src/mechanism",  "clipping curve custom mechanism mechanisms notes parameter sampled_gaussian sampling")
  implements("src/sampling",   "group_privacy sampling_bounds")
  implements("src/plan",       "plan select")
  implements("src/run",        "run")
  implements("src/convert",    "convert")
  implements("src/conversion", "closed_form rdp")
  implements("src/exact",      "exact privacy_loss tradeoff")
  implements("src/cost",       "cost")
  implements("src/accountant", "accountant")
  implements("src/calibrate",  "calibrate classical_gaussian")
  implements("src/matrix_design", "matrix_design")
  implements("src/explain",    "bad_outcomes explain")
  implements("src/accuracy",   "accuracy")
  implements("src/compare",    "composition_theorems")
  implements("src/relate",     "relate")
  implements("src/filter",     "filter filter_design individual_filter odometer")
  implements("certify",        "certify")
  implements("certificate",    "certificate")
  implements("ledger",         "ledger")
  implements("release",        "release")
  implements("noise",          "clipped_sum exact_number exact_sum noise")
  implements("capi",           "c")
  implements("include/renyi",  "renyi version")  # headers that no module implements

  # library          directories that may include it
  users["CLI"]      = "apps"
  users["nlohmann"] = "src/json src/plan src/convert src/filter certificate ledger release api/json"
  users["fmt"]      = "src src/numerics src/names src/json src/divergence src/mechanism src/sampling src/plan src/run src/convert src/conversion src/loss src/exact src/cost src/accountant src/calibrate src/matrix_design src/explain src/accuracy src/compare src/relate src/filter certificate ledger noise release api api/json apps"
  users["boost"]    = "src/numerics src/divergence src/mechanism src/sampling src/plan src/loss src/conversion src/exact src/compare src/relate src/filter apps/server"
  users["flint"]    = "certify certify/ball"
  users["arb.h"]    = "certify certify/ball"
  users["mpfr.h"]   = "certify"
  users["openssl"]  = "digest ledger noise apps/server apps/http_client"
  users["sqlite3.h"] = "ledger"
  users["libpq-fe.h"] = "ledger"
  users["pybind11"] = "python"
  users["kissfft"]  = "src/numerics"
  users["hwy"]      = "simd src/numerics src/mechanism src/filter noise"

  # Directories that use the distribution of a curve, and may not name the type of any mechanism.
  lawful = "src/sampling src/plan src/loss src/exact src/relate"
}

FNR == 1 { room = room_of(FILENAME) }
FNR == 1 && !(room in arrows) { complain("room '" room "' has no arrows in tools/layers.awk") }
FNR == 1 {
  owner = room == "include/renyi" ? home_of(FILENAME) : room
  if (owner == "") complain("no room implements this header in tools/layers.awk")
}

/^[ \t]*#[ \t]*include/ && room in arrows {
  if (match($0, /"[^"]*"/)) check_quoted(substr($0, RSTART + 1, RLENGTH - 2))
  else if (match($0, /<[^>]*>/)) check_angled(substr($0, RSTART + 1, RLENGTH - 2))
  else complain("include of a macro")
}

# Bits that are not random, and the pointer that replaces the kernel's, are for tests: noise/bits/kernel.cpp alone, which
# defines the pointer, includes its header.
/^[ \t]*#[ \t]*include/ && (/fixed_bits/ || (/kernel_source/ && FILENAME !~ /^noise\/bits\/kernel\.cpp$/)) {
  complain("bits that are not random are for tests")
}

# A mechanism's type is a struct with a member `kind`, in src/mechanism or in include/renyi/mechanisms.h.
room == "src/mechanism" || FILENAME ~ /include\/renyi\/mechanisms\.h$/ {
  if (match($0, /^struct [A-Za-z]+/)) type = substr($0, RSTART + 7, RLENGTH - 7)
  if (type != "" && /static constexpr std::string_view kind = /) types[type] = 1
}

# Collects the names of types in the code, without strings and comments; which of them are mechanisms is known at the
# end.
listed(room, lawful) && /[A-Z]/ {
  code = $0
  gsub(/"([^"\\]|\\.)*"/, "", code)
  sub(/\/\/.*/, "", code)
  while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
    word = substr(code, RSTART, RLENGTH)
    if (word ~ /^[A-Z]/) named[++names] = FILENAME ":" FNR "\t" room "\t" word
    code = substr(code, RSTART + RLENGTH)
  }
}

END {
  for (i = 1; i <= names; ++i) {
    split(named[i], part, "\t")
    if (!(part[3] in types)) continue
    print part[1] ": " part[3] " is a mechanism's type: " part[2] " asks the curve for its law"
    failed = 1
  }
  exit failed
}

function check_quoted(header,    target) {
  if (header ~ /(^|\/)\.\.?\//) return complain("relative path '" header "'")
  target = header ~ /\// ? room_of(as_path(header)) : room
  if (!(target in arrows)) return complain("'" header "' is in no room")
  if (target == "include/renyi") return check_public(header, home_of(header))
  if (target != room && !listed(target, arrows[room])) complain("'" header "': no arrow from " room " to " target)
}

# Outside of src/, all public headers may be included; within it, a public header counts as its module.
function check_public(header, home) {
  if (home == owner || home == "src") return
  if (owner == "noise") return complain("'" header "': noise knows nothing of accounting")
  if (owner !~ /^src/) return
  if (home == "") return complain("'" header "': no room implements this header in tools/layers.awk")
  if (!listed(home, arrows[owner])) complain("'" header "' is of " home ": no arrow from " owner " to " home)
}

function check_angled(header,    library, who) {
  library = header
  sub(/\/.*/, "", library)
  who = room ~ /^apps/ ? "apps" : room
  if (is_standard(header)) {
    if (room ~ /^(include|src)/ && header ~ /^(iostream|ostream|istream|fstream|cstdio|filesystem)$/)
      complain("<" header ">: no input or output in the mathematics")
  } else if (room == "include/renyi") {
    complain("<" header ">: public headers include the standard library only")
  } else if (library in users && !listed(who, users[library]) && !listed(room, users[library])) {
    complain("<" header ">: " library " is not for " room)
  } else if (!(library in users) && room ~ /^src/) {
    complain("<" header ">: unknown library")
  }
}

function implements(home, headers,    name, i) {
  split(headers, name, " ")
  for (i in name) homes[name[i]] = home
}

# Returns the directory that implements a public header, by the header's name; "" for one that is not listed.
function home_of(header,    name) {
  name = header
  sub(/.*\//, "", name)
  sub(/\.h$/, "", name)
  return name in homes ? homes[name] : ""
}

# As written in #include -> path from the root. src/ is an include root.
function as_path(header) {
  if (header ~ /^renyi\//) return "include/" header
  return header ~ /^(catalogue|certify|certificate|digest|ledger|noise|release|simd|api|capi|apps)\// ? header : "src/" header
}

function room_of(path,    part) {
  split(path, part, "/")
  if (part[1] == "include" || (part[1] == "src" && path ~ /^src\/[^\/]+\//)) return part[1] "/" part[2]
  if (path ~ /^apps\/cli\/[^\/]+\//) return "apps/cli/" part[3]
  if (path ~ /^apps\/(server|http_client)\//) return "apps/" part[2]
  if (path ~ /^api\/json\//) return "api/json"
  if (path ~ /^certify\/ball\//) return "certify/ball"
  return part[1]
}

# C compilers read c.h, so it may include only C headers.
function is_standard(header) { return header ~ /^([a-z0-9_]+|stddef\.h|stdint\.h)$/ }
function listed(word, words) { return index(" " words " ", " " word " ") > 0 }
function complain(what) { print FILENAME ":" FNR ": " what; failed = 1 }
